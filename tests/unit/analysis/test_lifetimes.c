/* SPDX-License-Identifier: MIT */
/* Threads that are created and end, and their thresholds. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "analysis/made_trace.h"
#include "txtap/figure_json.h"

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

/* Another thread ran at the address of B before B was created: the figures are those of both. */
Test(lifetimes, threads_at_one_address_do_not_have_the_name_of_the_newest)
{
    struct txtap_object objects[2] = {{.pointer = B, .type = TXTAP_OBJECT_THREAD, .name = "two"},
                                      {.pointer = B, .type = TXTAP_OBJECT_THREAD, .name = "one"}};
    struct txtap_registry registry;

    made_begin(&(struct txtap_analysis_options){0});
    made_event(0, MAKER, EVENT_THREAD_RESUME, B, REASON_SUSPENDED, 0, B);
    made_event(20, B, EVENT_THREAD_SUSPEND, B, REASON_COMPLETED, 0, MAKER);
    made_event(30, MAKER, EVENT_THREAD_CREATE, B, 4, 0x20008200, 512);
    made_event(40, MAKER, EVENT_THREAD_CREATE, A, 4, 0x20008000, 512);
    made_event(50, MAKER, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert(made_figure("cpu", B)->subject.joined);
    cr_assert_not(made_figure("cpu", MAKER)->subject.joined);
    txtap_registry_init(&registry, objects, 2);
    registry.count = 2;
    cr_assert_str_eq(txtap_subject_name(&made_figure("cpu", B)->subject, &registry), "");
    registry.count = 1; /* the name of the first one is not known */
    cr_assert_str_eq(txtap_subject_name(&made_figure("cpu", B)->subject, &registry), "");
    registry.count = 2;
    memcpy(objects[1].name, "two", sizeof "two");
    cr_assert_str_eq(txtap_subject_name(&made_figure("cpu", B)->subject, &registry), "two");
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
