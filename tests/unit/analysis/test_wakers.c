/* SPDX-License-Identifier: MIT */
/* Wake-up latency, listed by the context that wakes the thread. */
#include <criterion/criterion.h>
#include <string.h>

#include "analysis/made_trace.h"

#define A    0x20000100u
#define FAST 0x20000200u
#define SLOW 0x20000300u

static const struct figure_list *list;

static const struct txtap_figure *by(uint32_t waker)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->figures[i].name, "wake_by") == 0 && list->figures[i].other.number == waker)
            return &list->figures[i];
    return NULL;
}

/*
 * The waker resumes A, which sleeps, and continues to run for `latency`. Then A runs until it sleeps again.
 */
static void wake(uint64_t at, uint32_t waker, uint64_t latency)
{
    made_event(at, waker, EVENT_RUNNING, 0, 0, 0, 0);
    made_event(at + 1, waker, EVENT_THREAD_RESUME, A, REASON_SLEEP, 0, waker);
    made_event(at + 1 + latency, waker, EVENT_THREAD_SUSPEND, waker, REASON_SUSPENDED, 0, A);
    made_event(at + 50, A, EVENT_THREAD_SUSPEND, A, REASON_SLEEP, 0, 0);
}

static void begin(void)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_object(FAST, TXTAP_OBJECT_THREAD, "fast");
    made_object(SLOW, TXTAP_OBJECT_THREAD, "slow");
    for (uint64_t i = 0; i < 5; i++)
        wake(1000 * i, i % 2 ? SLOW : FAST, i % 2 ? 30 + i : i);
}

Test(wakers, have_latencies_of_their_own)
{
    begin();
    list = made_end();
    cr_assert_eq(by(FAST)->subject.number, A);
    cr_assert_eq(by(FAST)->stat[TXTAP_STAT_N].value, 3);
    cr_assert_eq(by(FAST)->stat[TXTAP_STAT_MAX].value, 4);
    cr_assert_eq(by(FAST)->max_at.ticks, 4005);
    cr_assert_eq(by(SLOW)->stat[TXTAP_STAT_N].value, 2);
    cr_assert_eq(by(SLOW)->stat[TXTAP_STAT_MIN].value, 31);
    cr_assert_eq(made_stat("wake", A, TXTAP_STAT_N), 5);
    cr_assert_eq(made_stat("wake", A, TXTAP_STAT_SUM), 6 + 64);
}

Test(wakers, the_end_of_a_sleep_is_no_timeout)
{
    begin();
    list = made_end();
    cr_assert_str_eq(made_figure("woken_by", A)->detail, "");
    cr_assert_eq(made_stat("woken_by", A, TXTAP_STAT_VALUE), 3);
}

Test(wakers, a_latency_that_a_gap_cuts_off_is_at_least_that_long)
{
    begin();
    made_event(9000, SLOW, EVENT_RUNNING, 0, 0, 0, 0);
    made_event(9001, SLOW, EVENT_THREAD_RESUME, A, REASON_SLEEP, 0, SLOW);
    made_event(9500, SLOW, EVENT_RUNNING, 0, 0, 0, 0);
    made_gap(3);
    made_event(9900, A, EVENT_RUNNING, 0, 0, 0, 0);
    list = made_end();
    cr_assert_eq(by(SLOW)->censored, 1);
    cr_assert_eq(by(SLOW)->stat[TXTAP_STAT_N].value, 2);
    cr_assert_eq(by(SLOW)->stat[TXTAP_STAT_MAX].lower, 499);
    cr_assert_eq(by(FAST)->censored, 0);
}
