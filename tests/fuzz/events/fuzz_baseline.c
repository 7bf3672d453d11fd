/* SPDX-License-Identifier: MIT */
/*
 * Reads any bytes as an older report. If the report is accepted, it must be sorted, and a comparison with it must end.
 * Two sides with this report have no change.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "compare/changes_show.h"
#include "compare/comparison.h"
#include "figures/figures_parse.h"

static void use(struct baseline *baseline)
{
    struct named_figure named = {.figure = {.section = "wake",
                                            .name = "wake",
                                            .subject = {.kind = TXTAP_SUBJECT_THREAD, .number = 0x20000100},
                                            .detail = "",
                                            .unit = TXTAP_UNIT_TICKS},
                                 .subject = "a"};
    struct figures figures = {.at = &named, .count = 1, .tick_hz = baseline->tick_hz > 0 ? 1e6 : 0};
    struct comparison comparison;
    struct error error;
    FILE *out = fopen("/dev/null", "w");

    for (enum txtap_stat stat = 0; stat < TXTAP_STATS; stat++)
        named.figure.stat[stat] = (struct txtap_measure){true, 100, 100, 100};
    REQUIRE(out != NULL && comparison_make(&comparison, &figures, baseline, &error) == TXTAP_OK);
    REQUIRE(comparison.count + comparison.same + comparison.unsure <= 4);
    comparison_show_text(&comparison, out);
    comparison_show_json(&comparison, out);
    comparison_free(&comparison);
    fclose(out);
}

/* Makes two sides with `runs` runs each, and compares them. */
static void compare_with_itself(const uint8_t *data, size_t length, size_t runs)
{
    struct side sides[2] = {{.label = "A"}, {.label = "B"}};
    struct changes changes;
    struct error error;
    FILE *out = fopen("/dev/null", "w");

    for (size_t i = 0; i < 2 * runs; i++) {
        struct figures figures;

        REQUIRE(figures_parse(&figures, (const char *)data, length, "fuzz", &error) == TXTAP_OK);
        REQUIRE(side_add(&sides[i % 2], &figures, &error) == TXTAP_OK);
    }
    REQUIRE(out != NULL && changes_make(&changes, sides, -1, &error) == TXTAP_OK);
    REQUIRE(changes_total(&changes) == 0 && changes.only_count[0] == 0 && changes.only_count[1] == 0);
    REQUIRE(changes_show_text(&changes, true, 80, out));
    changes_show_markdown(&changes, out);
    changes_show_json(&changes, out);
    changes_show_benchmark(&changes, out);
    changes_free(&changes);
    for (size_t i = 0; i < 2; i++)
        side_free(&sides[i]);
    fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    struct baseline baseline;
    struct error error;

    if (baseline_parse(&baseline, (const char *)data, length, "fuzz", &error) == TXTAP_OK) {
        for (size_t i = 1; i < baseline.count; i++)
            REQUIRE(strcmp(baseline.figures[i - 1].key, baseline.figures[i].key) <= 0);
        use(&baseline);
        compare_with_itself(data, length, 1);
        compare_with_itself(data, length, 3);
    } else {
        REQUIRE(baseline.count == 0 && baseline.figures == NULL && error.what[0] != '\0');
    }
    baseline_free(&baseline);
    return 0;
}
