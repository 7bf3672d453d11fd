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
