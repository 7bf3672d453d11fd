/* SPDX-License-Identifier: MIT */
/* Reading of reports, and the differences between two reports. */
#include "compare/comparison.h"
#include "figures/figures_parse.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct txtap_registry registry;
static struct figures before, now;
static struct baseline baseline;
static struct comparison comparison;
static struct error error;

static struct named_figure *add(struct figures *figures, const char *name, const char *subject, double value,
                                double lower, double upper)
{
    struct txtap_figure figure = {.section = "wake",
                                  .name = name,
                                  .subject = {.kind = TXTAP_SUBJECT_THREAD, .number = 0x20000100},
                                  .detail = "",
                                  .unit = TXTAP_UNIT_TICKS};
    struct named_figure *named;

    figures->registry = &registry;
    figures->trace = "a \"trace\"";
    figure.stat[TXTAP_STAT_VALUE] = (struct txtap_measure){true, value, lower, upper};
    cr_assert_eq(figures_take(figures, &figure), TXTAP_OK);
    named = &figures->at[figures->count - 1];
    snprintf(named->subject, sizeof named->subject, "%s", subject);
    return named;
}

/* Returns the JSON of `txtap report` for the older figures. */
static char *report(size_t *length)
{
    char *text;
    FILE *out = open_memstream(&text, length);

    figures_show_json(&before, out);
    fputs("}\n", out);
    fclose(out);
    return text;
}

static enum txtap_status compare(void)
{
    size_t length;
    char *text = report(&length);

    cr_assert_eq(baseline_parse(&baseline, text, length, "old.json", &error), TXTAP_OK, "%s", error.what);
    free(text);
    return comparison_make(&comparison, &now, &baseline, &error);
}

static void set_up(void)
{
    if (!figures_can_parse())
        cr_skip_test("this build cannot read JSON");
    txtap_registry_init(&registry, NULL, 0);
}

TestSuite(comparison, .init = set_up);

Test(comparison, a_report_is_equal_to_itself_whatever_its_names_and_numbers)
{
    static const char *const names[] = {"a", "", "\"\\\x01<&>", "\xff\xfe", "\xc3\xa4", "a/b c"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        add(&before, "mean", names[i], 1.0 / 3 + (double)i, 1.0 / 3 + (double)i, 1.0 / 3 + (double)i);
        add(&now, "mean", names[i], 1.0 / 3 + (double)i, 1.0 / 3 + (double)i, 1.0 / 3 + (double)i);
    }
    cr_assert_eq(compare(), TXTAP_OK);
    cr_assert_eq(comparison.same, 6);
    cr_assert_eq(comparison.count + comparison.unsure + comparison.added + comparison.removed, 0);
}

Test(comparison, the_largest_factor_up_or_down_comes_first)
{
    add(&before, "wake", "a", 100, 100, 100);
    add(&now, "wake", "a", 150, 150, 150);
    add(&before, "wake", "b", 100, 100, 100);
    add(&now, "wake", "b", 20, 20, 20);
    add(&before, "wake", "c", 0, 0, 0);
    add(&now, "wake", "c", 1, 1, 1);
    cr_assert_eq(compare(), TXTAP_OK);
    cr_assert_eq(comparison.count, 3);
    cr_assert(isinf(comparison.at[0].factor));
    cr_assert_float_eq(comparison.at[1].factor, 0.2, 1e-12);
    cr_assert_float_eq(comparison.at[2].factor, 1.5, 1e-12);
}

Test(comparison, overlapping_bounds_may_be_equal)
{
    add(&before, "wake", "a", 100, 100, INFINITY);
    add(&now, "wake", "a", 500, 500, 500);
    add(&before, "wake", "b", 100, 90, 110);
    add(&now, "wake", "b", 200, 111, 210);
    cr_assert_eq(compare(), TXTAP_OK);
    cr_assert_eq(comparison.unsure, 1);
    cr_assert_eq(comparison.count, 1);
    cr_assert_str_eq(comparison.at[0].figure->subject, "b");
}

/* The trace's end cuts off a sample. So the sample's value, 0, is only a lower bound of its duration. */
Test(comparison, equal_values_do_not_differ)
{
    add(&before, "life", "a", 0, 100, 100);
    add(&now, "life", "a", 0, 500, 500);
    cr_assert_eq(compare(), TXTAP_OK);
    cr_assert_eq(comparison.unsure, 1);
    cr_assert_eq(comparison.count, 0);
}

Test(comparison, figures_in_only_one_report_are_counted)
{
    add(&before, "wake", "a", 1, 1, 1);
    add(&before, "wake", "gone", 1, 1, 1);
    add(&now, "wake", "a", 1, 1, 1);
    add(&now, "wake", "a", 1, 1, 1);
    cr_assert_eq(compare(), TXTAP_OK);
    cr_assert_eq(comparison.same, 1);
    cr_assert_eq(comparison.added, 1, "two figures with the same name are two");
    cr_assert_eq(comparison.removed, 1);
}

Test(comparison, clocks_may_differ_if_both_are_known)
{
    add(&before, "wake", "a", 100, 100, 100);
    add(&now, "wake", "a", 200, 200, 200);
    before.tick_hz = 1e6;
    cr_assert_eq(compare(), TXTAP_ERROR_USAGE);
    baseline_free(&baseline);
    now.tick_hz = 2e6;
    cr_assert_eq(compare(), TXTAP_OK);
    cr_assert_eq(comparison.same, 1);
}

static void refuse(const char *text, const char *word)
{
    cr_assert_eq(baseline_parse(&baseline, text, strlen(text), "old.json", &error), TXTAP_ERROR_FORMAT, "%s", text);
    cr_assert_not_null(strstr(error.what, word), "%s", error.what);
    cr_assert_eq(baseline.count, 0);
}

Test(comparison, other_files_are_refused)
{
    refuse("", "line 1");
    refuse("[]", "not a report");
    refuse("{\"schema\":\"txtap-report\"}", "not a report");
    refuse("{\"schema\":\"txtap-report\",\"version\":2,\"figures\":[]}", "another version");
    refuse("{\"schema\":\"txtap-report\",\"version\":\"0.4.0\",\"schema_version\":3,\"figures\":[]}",
           "another version");
    refuse("{\"schema\":\"txtap-report\",\"version\":\"0.4.0\",\"figures\":[]}", "another version");
    refuse("{\"schema\":\"txtap-report\",\"version\":1,\"figures\":[", "line 1");
    refuse("{\"a\":1,\"a\":2}", "line 1");
}

Test(comparison, every_prefix_of_a_report_is_refused)
{
    size_t length;
    char *text;

    add(&before, "wake", "a", 100, 90, INFINITY);
    text = report(&length);
    for (size_t i = 0; i + 2 < length; i++)
        cr_assert_eq(baseline_parse(&baseline, text, i, "old.json", &error), TXTAP_ERROR_FORMAT, "%zu", i);
    free(text);
}

Test(comparison, values_of_the_wrong_type_are_ignored)
{
    const char *text =
        "{\"schema\":\"txtap-report\",\"version\":1,\"figures\":[1,null,{},{\"section\":[],\"subject\":1,"
        "\"stats\":{\"value\":{\"value\":\"a\",\"lower\":{}},\"max\":3}}]}";

    cr_assert_eq(baseline_parse(&baseline, text, strlen(text), "old.json", &error), TXTAP_OK);
    cr_assert_eq(baseline.count, 4);
    for (size_t i = 0; i < 4; i++)
        for (enum txtap_stat stat = 0; stat < TXTAP_STATS; stat++)
            cr_assert_not(baseline.figures[i].stat[stat].known);
    baseline_free(&baseline);
}
