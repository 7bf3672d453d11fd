/* SPDX-License-Identifier: MIT */
/* Analyses of a trace of several cores. */
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

Test(cores, an_application_event_does_not_make_a_core)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_event(0, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_core(1);
    made_event(10, A, 4096, 0, 0, 0, 0); /* core 1 makes the stored id at least 2^24 */
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

Test(cores, an_application_event_belongs_to_the_core_that_the_kernel_named_last)
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

Test(cores, in_a_gap_all_cores_may_have_been_busy)
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

/* ---- a core switches because another core requests it: no event records the time of the switch ---- */

#define LOW  0x20000300u
#define HIGH 0x20000400u

/*
 * Begins a trace. From tick 0 on, A runs on core 0 and LOW on core 1, while HIGH sleeps. These are the threads that the
 * kernel has chosen for the two cores.
 */
static void begin(const struct txtap_analysis_options *options)
{
    made_begin(options);
    made_priority(HIGH, 1);
    made_priority(LOW, 20);
    made_core(1);
    made_event(0, HIGH, EVENT_RUNNING, 0, 0, 0, 0);
    made_core(0);
    made_event(0, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_event(0, A, EVENT_THREAD_RESUME, LOW, REASON_SLEEP, 0, A);
    made_core(1);
    made_event(0, HIGH, EVENT_THREAD_SUSPEND, HIGH, REASON_SLEEP, 0, LOW);
    made_event(10, LOW, EVENT_RUNNING, 0, 0, 0, 0);
    made_event(10, LOW, EVENT_THREAD_RESUME, B, REASON_SLEEP, 0, LOW);
}

static void high_sleeps(void)
{
    begin(&(struct txtap_analysis_options){0});
}

static void is_between(const char *name, uint32_t subject, double lower, double upper)
{
    const struct txtap_figure *figure = made_figure(name, subject);

    cr_assert_not_null(figure, "%s", name);
    cr_expect_float_eq(figure->stat[TXTAP_STAT_VALUE].lower, lower, 1e-9, "%s: at least %g", name,
                       figure->stat[TXTAP_STAT_VALUE].lower);
    cr_expect_float_eq(figure->stat[TXTAP_STAT_VALUE].upper, upper, 1e-9, "%s: at most %g", name,
                       figure->stat[TXTAP_STAT_VALUE].upper);
}

Test(cores, a_duration_has_bounds_if_a_core_may_have_switched)
{
    const struct txtap_measure *cpu;

    begin(&(struct txtap_analysis_options){.bucket_ticks = 1000});
    made_core(0);
    made_event(40, A, EVENT_THREAD_RESUME, HIGH, REASON_SLEEP, 0, A);
    made_core(1);
    made_event(100, LOW, EVENT_RUNNING, 0, 0, 0, 0);
    made_core(0);
    made_event(100, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cpu = &made_figure("bucket_cpu", LOW)->stat[TXTAP_STAT_VALUE];
    cr_expect_float_eq(cpu->value, 100, 1e-9, "%g", cpu->value);
    cr_expect_float_eq(cpu->lower, 40, 1e-9, "%g", cpu->lower);
}

Test(cores, a_thread_that_another_core_resumed_may_have_run_since)
{
    high_sleeps();
    made_core(0);
    made_event(40, A, EVENT_THREAD_RESUME, HIGH, REASON_SLEEP, 0, A);
    made_core(1);
    made_event(100, HIGH, EVENT_RUNNING, 0, 0, 0, 0);
    made_core(0);
    made_event(100, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    is_between("wake", HIGH, 0, 60);
    cr_expect_float_eq(made_figure("cpu", LOW)->stat[TXTAP_STAT_VALUE].lower, 40, 1e-9, "%g",
                       made_figure("cpu", LOW)->stat[TXTAP_STAT_VALUE].lower);
    is_between("cpu", HIGH, 0, 60); /* only the time after its sleep */
    is_between("core_busy", 1, 40, 100);
}

Test(cores, a_thread_that_another_core_suspended_no_longer_runs_for_certain)
{
    high_sleeps();
    made_core(0);
    made_event(40, A, EVENT_THREAD_SUSPEND, LOW, REASON_SUSPENDED, 0, A);
    made_event(100, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_expect_float_eq(made_stat("core_busy", 1, TXTAP_STAT_VALUE), 40, 1e-9, "%g",
                       made_stat("core_busy", 1, TXTAP_STAT_VALUE));
    is_between("cpu", LOW, 40, 100); /* LOW's core may have switched later than requested */
}

Test(cores, a_thread_of_lower_priority_displaces_no_thread)
{
    const struct txtap_measure *cpu;

    high_sleeps();
    made_core(1);
    made_event(20, LOW, EVENT_THREAD_SUSPEND, LOW, REASON_SLEEP, 0, B);
    made_event(20, B, EVENT_RUNNING, 0, 0, 0, 0);
    made_core(0);
    made_event(40, A, EVENT_THREAD_RESUME, LOW, REASON_SLEEP, 0, A);
    made_core(1);
    made_event(100, B, EVENT_RUNNING, 0, 0, 0, 0);
    made_core(0);
    made_event(100, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cpu = &made_figure("cpu", B)->stat[TXTAP_STAT_VALUE];
    cr_expect_float_eq(cpu->lower, 80, 1e-9, "%g", cpu->lower);
}

Test(cores, an_interrupt_hidden_by_a_gap_still_resumes_threads)
{
    high_sleeps();
    made_gap(3);
    made_core(0);
    made_event(50, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_event(60, A, EVENT_THREAD_SUSPEND, HIGH, REASON_SLEEP, 0, A);
    made_core(1);
    made_interrupt(70, 0, EVENT_THREAD_RESUME, HIGH, REASON_SLEEP, 0, HIGH);
    made_core(0);
    made_event(100, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_expect_float_eq(made_stat("block", HIGH, TXTAP_STAT_MAX), 10, 1e-9);
    cr_expect_float_eq(made_figure("block", HIGH)->stat[TXTAP_STAT_N].value, 1, 1e-9);
}

Test(cores, a_call_that_aborts_a_wait_resumes_its_thread_once)
{
    high_sleeps();
    made_core(0);
    made_interrupt(20, A, EVENT_THREAD_WAIT_ABORT, HIGH, REASON_SLEEP, 0, 0);
    made_interrupt(20, A, EVENT_THREAD_RESUME, HIGH, REASON_SUSPENDED, 0, A);
    made_core(1);
    made_event(40, HIGH, EVENT_THREAD_SUSPEND, HIGH, REASON_SLEEP, 0, LOW);
    made_core(0);
    made_interrupt(70, A, EVENT_THREAD_RESUME, HIGH, REASON_SLEEP, 0, A);
    made_event(100, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_expect_float_eq(made_stat("woken_by", HIGH, TXTAP_STAT_VALUE), 1, 1e-9); /* the first row is the aborted wait */
    cr_expect_float_eq(made_stat("block", HIGH, TXTAP_STAT_N), 2, 1e-9);
    cr_expect_float_eq(made_stat("block", HIGH, TXTAP_STAT_MAX), 30, 1e-9);
}
