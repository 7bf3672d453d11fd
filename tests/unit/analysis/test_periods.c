/* SPDX-License-Identifier: MIT */
/* Periods between wake-ups and between dispatches, alone and compared with periods that the user expects. */
#include <criterion/criterion.h>
#include <math.h>

#include "analysis/made_trace.h"

#define LOOP  0x20000100u
#define OTHER 0x20000200u

static const struct txtap_analysis_options of_100 = {.periods = {{"lo*", 100}}, .period_count = 1};

static void begin(const struct txtap_analysis_options *options)
{
    made_begin(options);
    made_object(LOOP, TXTAP_OBJECT_THREAD, "loop");
    made_object(OTHER, TXTAP_OBJECT_THREAD, "other");
}

Test(periods, dispatches_have_their_own_periods)
{
    begin(&(struct txtap_analysis_options){0});
    made_job(LOOP, 0, 5, 20);
    made_job(LOOP, 100, 130, 150);
    made_job(LOOP, 210, 211, 250);
    made_end();
    cr_assert_eq(made_stat("period", LOOP, TXTAP_STAT_MIN), 100);
    cr_assert_eq(made_stat("period", LOOP, TXTAP_STAT_MAX), 110);
    cr_assert_eq(made_stat("dispatch_period", LOOP, TXTAP_STAT_MIN), 81);
    cr_assert_eq(made_stat("dispatch_period", LOOP, TXTAP_STAT_MAX), 125);
    cr_assert_eq(made_stat("dispatch_jitter", LOOP, TXTAP_STAT_VALUE), 44);
    cr_assert_eq(made_stat("dispatch_deviation", LOOP, TXTAP_STAT_VALUE), 22);
    cr_assert_null(made_figure("nominal", LOOP));
}

Test(periods, lateness_is_measured_from_the_earliest_start)
{
    begin(&of_100);
    made_job(LOOP, 1000, 1005, 1010);
    made_job(LOOP, 1090, 1095, 1099);
    made_job(LOOP, 1230, 1235, 1240);
    made_job(LOOP, 1300, 1301, 1302);
    made_job(OTHER, 1310, 1311, 1312);
    made_job(OTHER, 1700, 1701, 1702);
    made_end();
    cr_assert_eq(made_stat("nominal", LOOP, TXTAP_STAT_VALUE), 100);
    cr_assert_eq(made_stat("period_error", LOOP, TXTAP_STAT_N), 3);
    cr_assert_eq(made_stat("period_error", LOOP, TXTAP_STAT_SUM), 10 + 40 + 30);
    cr_assert_eq(made_stat("period_error", LOOP, TXTAP_STAT_MAX), 40);
    cr_assert_eq(made_stat("lateness", LOOP, TXTAP_STAT_VALUE), 30 + 10);
    cr_assert_eq(made_figure("lateness", LOOP)->max_at.ticks, 1230);
    cr_assert_eq(made_stat("drift", LOOP, TXTAP_STAT_VALUE), 0);
    cr_assert_eq(made_stat("missed", LOOP, TXTAP_STAT_VALUE), 0);
    cr_assert_eq(made_stat("extra", LOOP, TXTAP_STAT_VALUE), 0);
    cr_assert_null(made_figure("nominal", OTHER));
}

Test(periods, missing_and_extra_starts_are_counted)
{
    begin(&of_100);
    made_job(LOOP, 0, 1, 2);
    made_job(LOOP, 140, 141, 142); /* late, but within its period */
    made_job(LOOP, 200, 201, 202);
    made_job(LOOP, 500, 501, 502);
    made_job(LOOP, 520, 521, 522);
    made_job(LOOP, 706, 707, 708);
    made_end();
    cr_assert_eq(made_stat("missed", LOOP, TXTAP_STAT_VALUE), 2 + 1);
    cr_assert_eq(made_stat("extra", LOOP, TXTAP_STAT_VALUE), 1 + 0);
    cr_assert_float_eq(made_stat("drift", LOOP, TXTAP_STAT_VALUE), (706 - 700) / 7.0, 1e-9);
}

Test(periods, nothing_is_missed_in_a_gap)
{
    begin(&of_100);
    made_job(LOOP, 0, 1, 2);
    made_job(LOOP, 90, 91, 92);
    made_gap(50);
    made_job(LOOP, 2000, 2001, 2002);
    made_job(LOOP, 2120, 2121, 2122);
    made_end();
    cr_assert_eq(made_stat("missed", LOOP, TXTAP_STAT_VALUE), 0);
    cr_assert(isinf(made_figure("missed", LOOP)->stat[TXTAP_STAT_VALUE].upper));
    cr_assert_eq(made_stat("period_error", LOOP, TXTAP_STAT_N), 2);
    cr_assert_eq(made_stat("lateness", LOOP, TXTAP_STAT_VALUE), 20);
    cr_assert_eq(made_stat("drift", LOOP, TXTAP_STAT_VALUE), (-10 + 20) / 2);
    cr_assert(isinf(made_figure("drift", LOOP)->stat[TXTAP_STAT_VALUE].lower));
}

Test(periods, the_first_matching_pattern_counts_and_may_be_an_address)
{
    const struct txtap_analysis_options options = {.periods = {{"0x20000200", 70}, {"*", 50}}, .period_count = 2};

    made_begin(&options);
    made_job(LOOP, 0, 1, 2);
    made_job(OTHER, 10, 11, 12);
    made_end();
    cr_assert_eq(made_stat("nominal", LOOP, TXTAP_STAT_VALUE), 50);
    cr_assert_eq(made_stat("nominal", OTHER, TXTAP_STAT_VALUE), 70);
}
