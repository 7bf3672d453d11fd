/* SPDX-License-Identifier: MIT */
/* Threads that are created and end, and their thresholds. */
#include <criterion/criterion.h>
#include <math.h>

#include "analysis/made_trace.h"

#define MAKER 0x20000100u
#define A     0x20000200u
#define B     0x20000300u
#define C     0x20000400u

Test(lifetimes, go_from_creation_to_completion_or_termination)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_event(10, MAKER, EVENT_THREAD_CREATE, A, 4, 0x20008000, 512);
    made_event(20, MAKER, EVENT_THREAD_CREATE, B, 4, 0x20008200, 512);
    made_event(25, MAKER, EVENT_THREAD_CREATE, C, 4, 0x20008400, 512);
    made_event(30, MAKER, EVENT_THREAD_RELINQUISH, 0, A, 0, 0);
    made_event(60, A, EVENT_THREAD_SUSPEND, A, REASON_COMPLETED, 0, MAKER);
    made_event(90, MAKER, EVENT_THREAD_TERMINATE, B, 0, 0, 0);
    made_event(100, MAKER, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_stat("life", A, TXTAP_STAT_MAX), 60 - 10);
    cr_assert_eq(made_stat("life", B, TXTAP_STAT_MAX), 90 - 20);
    cr_assert_eq(made_figure("life", C)->censored, 1);
    cr_assert_eq(made_figure("life", C)->stat[TXTAP_STAT_MAX].lower, 100 - 25);
    cr_assert(isinf(made_figure("life", C)->stat[TXTAP_STAT_MAX].upper));
    cr_assert_eq(made_figure("life", A)->stat[TXTAP_STAT_MAX].upper, 60 - 10);
    cr_assert_null(made_figure("life", MAKER));
}

Test(lifetimes, changes_of_a_threshold_count_for_the_thread_they_are_of)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_event(0, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_event(10, MAKER, EVENT_THREAD_PREEMPTION_CHANGE, A, 2, 4, 0);
    made_event(20, MAKER, EVENT_THREAD_PREEMPTION_CHANGE, A, 4, 2, 0);
    made_event(30, MAKER, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_stat("threshold_changes", A, TXTAP_STAT_N), 2);
    cr_assert_null(made_figure("threshold_changes", MAKER));
}
