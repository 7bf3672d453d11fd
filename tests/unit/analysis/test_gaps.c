/* SPDX-License-Identifier: MIT */
/* The events in a gap are unknown. So bounds must include everything that may have happened in the gap. */
#include <criterion/criterion.h>
#include <math.h>

#include "analysis/made_trace.h"

#define URGENT 0x20000200u /* priority 4 */
#define MIDDLE 0x20000400u /* priority 10 */
#define LOW    0x20000500u /* priority 20 */
#define M      0x20001000u

static void begin(void)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_priority(URGENT, 4);
    made_priority(MIDDLE, 10);
    made_priority(LOW, 20);
}

static void run(uint64_t ticks, uint32_t thread)
{
    made_event(ticks, thread, EVENT_RUNNING, 0, 0, 0, 0);
}

static void resume(uint64_t ticks, uint32_t by, uint32_t thread, uint32_t reason, uint32_t next)
{
    made_event(ticks, by, EVENT_THREAD_RESUME, thread, reason, 0, next);
}

static void suspend(uint64_t ticks, uint32_t thread, uint32_t reason, uint32_t next)
{
    made_event(ticks, thread, EVENT_THREAD_SUSPEND, thread, reason, 0, next);
}

static void get_and_wait(uint64_t ticks, uint32_t thread, uint32_t owner, uint32_t next)
{
    made_event(ticks, thread, EVENT_MUTEX_GET, M, WAIT_FOREVER, owner, 1);
    suspend(ticks + 2, thread, REASON_MUTEX, next);
}

static void put(uint64_t ticks, uint32_t thread, uint32_t next)
{
    made_event(ticks, thread, EVENT_MUTEX_PUT, M, thread, 1, 0);
    resume(ticks + 2, thread, next, REASON_MUTEX, next);
}

static const struct txtap_measure *measure(const char *name, uint32_t subject, enum txtap_stat stat)
{
    const struct txtap_figure *figure = made_figure(name, subject);

    cr_assert_not_null(figure, "%s", name);
    return &figure->stat[stat];
}

/* ---- priorities ---- */

/*
 * Records a wait. Before the gap the priorities are 20 for LOW and 4 for URGENT. After the gap LOW has priority 4, and
 * URGENT waits for it.
 */
static void wait_for_low(uint16_t priority)
{
    begin();
    run(0, LOW);
    run(5, URGENT);
    made_gap(1);
    run(10, URGENT);
    get_and_wait(20, URGENT, LOW, LOW);
    made_priority(LOW, priority);
    run(30, LOW);
    put(40, LOW, URGENT);
    made_end();
}

Test(gaps, an_event_with_the_same_priority_confirms_it_as_the_threads_own)
{
    wait_for_low(20);
    cr_expect_eq(measure("inversions", 0, TXTAP_STAT_VALUE)->lower, 1);
    cr_expect_eq(made_stat("inversion", 0, TXTAP_STAT_SUM), 42 - 22);
    cr_expect_eq(measure("priority", LOW, TXTAP_STAT_VALUE)->lower, 20);
    cr_expect_eq(measure("priority", LOW, TXTAP_STAT_VALUE)->upper, 20);
}

/* In the gap LOW inherited a priority, or a call changed its own priority. */
Test(gaps, after_a_gap_a_thread_with_another_priority_may_have_any_own_priority)
{
    wait_for_low(4);
    cr_expect_eq(measure("inversions", 0, TXTAP_STAT_VALUE)->lower, 0);
    cr_expect_eq(measure("priority", LOW, TXTAP_STAT_VALUE)->value, 20);
    cr_expect_eq(measure("priority", LOW, TXTAP_STAT_VALUE)->lower, 4);
    cr_expect_eq(measure("priority", LOW, TXTAP_STAT_VALUE)->upper, INFINITY);
}

/* URGENT waits for LOW and then for MIDDLE: one inversion, although MIDDLE's priority is known only later. */
Test(gaps, an_inversion_continues_if_the_next_owners_priority_shows_it)
{
    begin();
    run(0, MIDDLE);
    suspend(5, LOW, REASON_SLEEP, 0); /* this shows that LOW is not the timer thread, which never sleeps */
    made_gap(1);
    made_event(10, MIDDLE, EVENT_MUTEX_GET, M, WAIT_FOREVER, LOW, 1);
    suspend(12, MIDDLE, REASON_MUTEX, URGENT);
    made_gap(1);
    made_event(14, LOW, EVENT_THREAD_RELINQUISH, 0, LOW, 0, 0);
    run(16, URGENT);
    get_and_wait(20, URGENT, LOW, LOW);
    made_event(40, LOW, EVENT_MUTEX_PUT, M, LOW, 1, 0);
    resume(42, LOW, MIDDLE, REASON_MUTEX, MIDDLE);
    run(50, MIDDLE);
    put(60, MIDDLE, URGENT);
    made_end();
    cr_expect_eq(made_stat("inversion", 0, TXTAP_STAT_N), 1);
    cr_expect_eq(made_stat("inversion", 0, TXTAP_STAT_SUM), 62 - 22);
    cr_expect_eq(made_figure("inversion", 0)->censored, 0);
}

/* Before LOW got the mutex, URGENT may already have waited for another owner of lower priority. */
Test(gaps, an_inversion_may_have_begun_with_an_earlier_owner)
{
    begin();
    run(0, MIDDLE);
    run(5, LOW);
    made_gap(1);
    run(14, LOW);
    run(16, URGENT);
    get_and_wait(20, URGENT, MIDDLE, LOW);
    suspend(35, LOW, REASON_SLEEP, MADE_TIMER);
    made_event(41, MADE_TIMER, EVENT_MUTEX_GET, M, 0, LOW, 1);
    resume(50, MADE_TIMER, LOW, REASON_SLEEP, LOW);
    put(60, LOW, URGENT);
    made_end();
    cr_expect_eq(made_figure("inversion", 0)->censored, 1);
    cr_expect_not(measure("inversion", 0, TXTAP_STAT_MIN)->known);
    cr_expect_eq(measure("inversion", 0, TXTAP_STAT_MAX)->lower, 62 - 41);
}

/* ---- waits that may have been aborted ---- */

static void resume_first(void)
{
    resume(10, LOW, MIDDLE, REASON_SUSPENDED, LOW);
    suspend(20, LOW, REASON_SLEEP, MIDDLE);
    suspend(30, MIDDLE, REASON_SLEEP, 0);
    made_end();
}

Test(gaps, may_hide_an_abort_of_a_wait)
{
    begin();
    run(0, LOW);
    made_gap(3);
    resume_first();
    cr_expect_str_eq(made_figure("woken_by", MIDDLE)->detail, "unknown");
    cr_expect_null(made_figure("response", MIDDLE));
}

Test(gaps, a_call_after_a_gap_shows_that_no_wait_was_aborted)
{
    begin();
    run(0, LOW);
    made_gap(3);
    made_event(9, LOW, EVENT_THREAD_RESUME_API, MIDDLE, REASON_SUSPENDED, 0, 0);
    resume_first();
    cr_expect_str_eq(made_figure("woken_by", MIDDLE)->detail, "");
    cr_expect_eq(made_stat("response", MIDDLE, TXTAP_STAT_N), 1);
}

Test(gaps, a_wait_that_no_other_service_could_end_was_aborted)
{
    begin();
    run(0, LOW);
    made_gap(3);
    get_and_wait(4, MIDDLE, URGENT, LOW);
    resume_first();
    cr_expect_str_eq(made_figure("woken_by", MIDDLE)->detail, "aborted");
    cr_expect_eq(made_pair("block", MIDDLE, M)->stat[TXTAP_STAT_SUM].value, 10 - 6);
}

/* ---- suspensions that take effect when a wait ends ---- */

/* Ends MIDDLE's sleep. LOW continues to run. */
static void end_sleep(void)
{
    begin();
    suspend(0, MIDDLE, REASON_SLEEP, LOW);
    run(5, LOW);
    made_gap(3);
    run(10, MADE_TIMER);
    resume(11, MADE_TIMER, MIDDLE, REASON_SLEEP, MADE_TIMER);
    suspend(12, MADE_TIMER, REASON_SUSPENDED, LOW);
    run(20, LOW);
}

Test(gaps, a_thread_whose_sleep_ends_may_have_been_suspended)
{
    end_sleep();
    made_end();
    cr_expect_null(made_figure("ready", MIDDLE));
    cr_expect_null(made_figure("wake", MIDDLE));
    cr_expect_null(made_figure("response", MIDDLE));
}

Test(gaps, a_thread_that_runs_was_ready_since_its_sleep_ended)
{
    end_sleep();
    suspend(30, LOW, REASON_SLEEP, MIDDLE);
    suspend(40, MIDDLE, REASON_SLEEP, 0);
    made_end();
    cr_expect_eq(made_stat("wake", MIDDLE, TXTAP_STAT_SUM), 30 - 11);
    cr_expect_eq(made_stat("response", MIDDLE, TXTAP_STAT_SUM), 40 - 11);
    cr_expect_eq(made_stat("response_ready", MIDDLE, TXTAP_STAT_SUM), 30 - 11);
}

Test(gaps, a_thread_that_is_resumed_again_was_suspended)
{
    end_sleep();
    made_event(30, LOW, EVENT_THREAD_RESUME_API, MIDDLE, REASON_SUSPENDED, 0, 0);
    resume(31, LOW, MIDDLE, REASON_SUSPENDED, MIDDLE);
    suspend(40, MIDDLE, REASON_SLEEP, 0);
    made_end();
    cr_expect_eq(made_stat("wake", MIDDLE, TXTAP_STAT_N), 1);
    cr_expect_eq(made_stat("response", MIDDLE, TXTAP_STAT_SUM), 40 - 31);
}

/* The resumption's event says that no thread runs next. */
Test(gaps, a_thread_whose_sleep_ends_while_no_thread_is_ready_was_suspended)
{
    begin();
    resume(0, LOW, URGENT, REASON_SLEEP, URGENT);
    made_gap(3);
    run(10, LOW);
    suspend(20, LOW, REASON_SLEEP, 0);
    made_interrupt(30, 0, EVENT_ISR_ENTER, 0, 15, 0, 0);
    made_interrupt(31, 0, EVENT_THREAD_RESUME, MIDDLE, REASON_SLEEP, 0, 0);
    made_interrupt(32, 0, EVENT_ISR_EXIT, 0, 15, 0, 0);
    made_interrupt(50, 0, EVENT_ISR_ENTER, 0, 15, 0, 0);
    made_end();
    cr_expect_eq(made_stat("idle_ticks", 0, TXTAP_STAT_VALUE), (30 - 20) + (50 - 32));
    cr_expect_null(made_figure("ready", MIDDLE));
}

/* ---- mutexes and queues ---- */

Test(gaps, a_wait_for_a_mutex_that_a_gap_cuts_off_may_not_be_served)
{
    begin();
    run(0, LOW);
    run(5, URGENT);
    get_and_wait(10, URGENT, LOW, LOW);
    run(500, LOW);
    made_gap(3);
    run(600, LOW);
    made_end();
    cr_expect_eq(measure("wait", M, TXTAP_STAT_MAX)->lower, 0);
    cr_expect_eq(made_figure("wait", M)->censored, 1);
    cr_expect_eq(made_pair("block", URGENT, M)->stat[TXTAP_STAT_MAX].lower, 500 - 12);
}

/* A put in the gap gave MIDDLE the mutex. This happened when MIDDLE was resumed, not at the end of the gap. */
Test(gaps, an_owner_has_the_mutex_at_least_since_its_wait_ended)
{
    begin();
    run(0, LOW);
    made_gap(3);
    run(10, LOW);
    resume(30, LOW, MIDDLE, REASON_MUTEX, MIDDLE);
    made_event(50, MIDDLE, EVENT_MUTEX_PUT, M, MIDDLE, 1, 0);
    made_end();
    cr_expect_eq(measure("hold", M, TXTAP_STAT_MAX)->lower, 50 - 30);
}

/* An interrupt sends, and two receivers are resumed. One of them has waited since before the gap. It may have waited
 * for another queue, and its wait may have timed out. */
Test(gaps, a_send_may_have_woken_either_of_two_threads)
{
    begin();
    run(0, LOW);
    made_gap(3);
    run(10, MIDDLE);
    made_event(11, MIDDLE, EVENT_QUEUE_RECEIVE, M, 0, 5, 0);
    suspend(12, MIDDLE, REASON_QUEUE, LOW);
    run(20, LOW);
    made_interrupt(30, LOW, EVENT_QUEUE_SEND, M, 0, 0, 0);
    made_interrupt(31, LOW, EVENT_THREAD_RESUME, URGENT, REASON_QUEUE, 0, URGENT);
    made_interrupt(32, LOW, EVENT_THREAD_RESUME, MIDDLE, REASON_QUEUE, 0, URGENT);
    run(40, URGENT);
    made_end();
    cr_expect_eq(measure("handed_over", M, TXTAP_STAT_VALUE)->lower, 0);
    cr_expect_eq(measure("depth", M, TXTAP_STAT_VALUE)->lower, 0);
    cr_expect_str_eq(made_figure("woken_by", URGENT)->detail, "unknown");
    cr_expect_str_eq(made_figure("woken_by", MIDDLE)->detail, "unknown");
}

Test(gaps, call_before_a_gap_counts_although_its_end_is_unknown)
{
    begin();
    run(0, URGENT);
    made_event(10, URGENT, EVENT_SEMAPHORE_GET, M, 0, 1, 0);
    made_gap(5);
    run(100, URGENT);
    made_end();
    cr_expect_eq(made_stat("gets", M, TXTAP_STAT_N), 1);
    cr_expect_eq(made_stat("get_at_once", M, TXTAP_STAT_N), 0);
}
