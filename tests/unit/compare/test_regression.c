/* SPDX-License-Identifier: MIT */
/* The comparison of two traces as a gate: the compared statistics, the floors, and the lines. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "compare/regression.h"

static struct txtap_registry registry;
static struct figures old, new;
static struct baseline baseline;
static struct verdict verdict;
static struct error error;

static struct txtap_figure *add(struct figures *figures, enum txtap_figure_id id, const char *name, const char *subject,
                                enum txtap_unit unit, double value)
{
    struct txtap_figure figure = {.section = "cpu", .id = id, .name = name, .detail = "", .unit = unit};

    if (*subject != '\0')
        figure.subject = (struct txtap_subject){.kind = TXTAP_SUBJECT_THREAD, .number = 0x100};
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++)
        figure.stat[stat] = (struct txtap_measure){true, value, value, value};
    cr_assert_eq(figures_take(figures, &figure), TXTAP_OK);
    snprintf(figures->at[figures->count - 1].subject, FIGURE_NAME_BYTES, "%s", subject);
    return &figures->at[figures->count - 1].figure;
}

/* Adds a figure to both traces. */
static void add_both(enum txtap_figure_id id, const char *name, const char *subject, enum txtap_unit unit,
                     double before, double now)
{
    add(&old, id, name, subject, unit, before);
    add(&new, id, name, subject, unit, now);
}

/* Adds samples to both traces: n of them, and the same number for all percentiles. */
static void add_samples(double n, double before, double now)
{
    add(&old, TXTAP_FIGURE_WAKE, "wake", "control", TXTAP_UNIT_TICKS, before)->stat[TXTAP_STAT_N].value = n;
    add(&new, TXTAP_FIGURE_WAKE, "wake", "control", TXTAP_UNIT_TICKS, now)->stat[TXTAP_STAT_N].value = n;
}

static void set_up(void)
{
    old = new = (struct figures){.registry = &registry, .trace = "", .tick_hz = 1e6};
    verdict = (struct verdict){0};
}

static void tear_down(void)
{
    free(verdict.lines);
    baseline_free(&baseline);
    figures_free(&old);
    figures_free(&new);
}

TestSuite(regression, .init = set_up, .fini = tear_down);

static enum txtap_verdict judged(void)
{
    cr_assert_eq(baseline_take(&baseline, &old, &error), TXTAP_OK);
    cr_assert_eq(regression_judge(&verdict, &new, &baseline, 0.2, &error), TXTAP_OK, "%s", error.what);
    return verdict.verdict;
}

Test(regression, more_than_the_tolerance_fails_and_is_named)
{
    add_samples(1000, 100, 121);
    cr_expect_eq(judged(), TXTAP_VERDICT_FAILED);
    cr_expect_str_eq(verdict.text,
                     "1 of 1 figures is worse by more than 20 %: wake(control).p99 100 us -> 121 us (x 1.21)");
    cr_expect_eq(verdict.line_count, 1);
    cr_expect_str_eq(verdict.lines[0], "         worse: wake(control).p99 100 us -> 121 us (x 1.21)");
}

Test(regression, the_tolerance_and_less_are_ok)
{
    add_samples(1000, 100, 120);
    cr_expect_eq(judged(), TXTAP_VERDICT_OK);
    cr_expect_str_eq(verdict.text, "0 of 1 figures are worse by more than 20 %");
    cr_expect_eq(verdict.line_count, 0);
}

Test(regression, twenty_microseconds_are_no_difference)
{
    add_samples(1000, 3, 23);
    cr_expect_eq(judged(), TXTAP_VERDICT_OK);
}

Test(regression, more_microseconds_are)
{
    add_samples(1000, 3, 24);
    cr_expect_eq(judged(), TXTAP_VERDICT_FAILED);
}

Test(regression, fewer_samples_compare_a_lower_percentile)
{
    add_samples(999, 100, 200);
    cr_expect_eq(judged(), TXTAP_VERDICT_FAILED);
    cr_expect_not_null(strstr(verdict.text, "wake(control).p95"));
}

Test(regression, too_few_samples_compare_nothing)
{
    add_samples(19, 100, 10000);
    cr_expect_eq(judged(), TXTAP_VERDICT_UNDECIDED);
}

Test(regression, counts_are_compared_per_time)
{
    add_both(TXTAP_FIGURE_OBSERVED, "observed", "", TXTAP_UNIT_TICKS, 1e6, 2e6);
    add_both(TXTAP_FIGURE_FAILED, "failed", "", TXTAP_UNIT_COUNT, 100,
             245); /* 200 are expected: at most 200 + 3 + 42 */
    cr_expect_eq(judged(), TXTAP_VERDICT_OK);
}

Test(regression, many_more_counts_per_time_fail)
{
    add_both(TXTAP_FIGURE_OBSERVED, "observed", "", TXTAP_UNIT_TICKS, 1e6, 2e6);
    add_both(TXTAP_FIGURE_FAILED, "failed", "", TXTAP_UNIT_COUNT, 100, 246);
    cr_expect_eq(judged(), TXTAP_VERDICT_FAILED);
    cr_expect_not_null(strstr(verdict.text, "failed 200 -> 246"));
}

Test(regression, the_first_deadlock_fails)
{
    add_both(TXTAP_FIGURE_OBSERVED, "observed", "", TXTAP_UNIT_TICKS, 1e6, 1e6);
    add_both(TXTAP_FIGURE_DEADLOCK, "deadlock", "", TXTAP_UNIT_TICKS, 0, 1);
    cr_expect_eq(judged(), TXTAP_VERDICT_FAILED);
}

Test(regression, a_stack_is_compared_by_its_used_share)
{
    add_both(TXTAP_FIGURE_STACK, "stack", "deep", TXTAP_UNIT_PERCENT, 50, 39);
    cr_expect_eq(judged(), TXTAP_VERDICT_FAILED);
    cr_expect_not_null(strstr(verdict.text, "stack(deep).used 50% -> 61%"));
}

Test(regression, another_clock_makes_no_difference)
{
    old.tick_hz = 2e6;
    add_samples(1000, 200, 100);
    cr_expect_eq(judged(), TXTAP_VERDICT_OK);
}

Test(regression, threads_that_come_and_go_are_named)
{
    add(&old, TXTAP_FIGURE_CPU, "cpu", "left", TXTAP_UNIT_PERCENT, 1);
    add(&new, TXTAP_FIGURE_CPU, "cpu", "right\n", TXTAP_UNIT_PERCENT, 1);
    add_both(TXTAP_FIGURE_CPU, "cpu", "both", TXTAP_UNIT_PERCENT, 1, 1);
    cr_expect_eq(judged(), TXTAP_VERDICT_OK);
    cr_assert_eq(verdict.line_count, 2);
    cr_expect_str_eq(verdict.lines[0], "         new threads: right\\x0a");
    cr_expect_str_eq(verdict.lines[1], "         gone threads: left");
}

Test(regression, the_lines_have_an_end)
{
    char name[8];

    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "t%d", i);
        add_both(TXTAP_FIGURE_CPU, "cpu", name, TXTAP_UNIT_PERCENT, 10, 20 + i);
    }
    add(&new, TXTAP_FIGURE_CPU, "cpu", "new", TXTAP_UNIT_PERCENT, 1);
    add(&old, TXTAP_FIGURE_CPU, "cpu", "gone", TXTAP_UNIT_PERCENT, 1);
    cr_expect_eq(judged(), TXTAP_VERDICT_FAILED);
    cr_expect_eq(verdict.line_count, VERDICT_LINES_MOST);
    cr_expect_not_null(strstr(verdict.lines[0], "cpu(t99) 10% -> 119% (x 11.9)"), "%s", verdict.lines[0]);
}

Test(regression, ticks_and_seconds_are_not_compared)
{
    old.tick_hz = 0;
    add_samples(1000, 1, 1);
    cr_assert_eq(baseline_take(&baseline, &old, &error), TXTAP_OK);
    cr_expect_eq(regression_judge(&verdict, &new, &baseline, 0.2, &error), TXTAP_ERROR_USAGE);
}
