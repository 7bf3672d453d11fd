/* SPDX-License-Identifier: MIT */
/* Several cores. */
#include <criterion/criterion.h>

#include "analysis/made_trace.h"

#define A 0x20000100u
#define B 0x20000200u

static void both_run(uint64_t ticks)
{
    made_core(0);
    made_event(ticks, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_core(1);
    made_event(ticks, B, EVENT_RUNNING, 0, 0, 0, 0);
}

Test(cores, no_event_of_an_application_makes_one)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_event(0, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_core(1);
    made_event(10, A, 4096, 0, 0, 0, 0); /* an id from 2^24 on */
    made_core(255);
    made_event(20, A, 0xFFFFFF, 0, 0, 0, 0);
    made_event(30, A, EVENT_SEMAPHORE_GET, 0, 0, 0, 0);
    made_core(0);
    made_event(100, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_stat("load", 0, TXTAP_STAT_VALUE), 100);
    cr_assert_eq(made_figure("load", 0)->stat[TXTAP_STAT_VALUE].upper, 100);
    cr_assert_eq(made_stat("cpu", A, TXTAP_STAT_VALUE), 100);
    cr_assert_null(made_figure("core_busy", 0));
}

Test(cores, an_application_event_is_of_the_core_that_the_kernel_has_named)
{
    made_begin(&(struct txtap_analysis_options){0});
    both_run(0);
    made_core(1);
    made_event(10, B, 4096, 0, 0, 0, 0);
    made_core(7);
    made_event(20, B, 4096, 0, 0, 0, 0);
    both_run(100);
    made_end();
    cr_assert_eq(made_stat("load", 0, TXTAP_STAT_VALUE), 200);
    cr_assert_eq(made_stat("cpu", A, TXTAP_STAT_VALUE), 100);
    cr_assert_eq(made_stat("cpu", B, TXTAP_STAT_VALUE), 100);
}

Test(cores, in_a_gap_all_of_them_may_have_been_busy)
{
    const struct txtap_measure *load;

    made_begin(&(struct txtap_analysis_options){0});
    both_run(0);
    both_run(100);
    made_gap(5);
    both_run(200);
    both_run(300);
    made_end();
    load = &made_figure("load", 0)->stat[TXTAP_STAT_VALUE];
    cr_assert_float_eq(load->value, 200, 1e-9);
    cr_assert_float_eq(load->lower, 100.0 * 400 / 300, 1e-9);
    cr_assert_float_eq(load->upper, 200, 1e-9, "%g", load->upper);
    cr_assert_float_eq(made_figure("cpu", A)->stat[TXTAP_STAT_VALUE].upper, 100, 1e-9);
}
