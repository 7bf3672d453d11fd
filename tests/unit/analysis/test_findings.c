/* SPDX-License-Identifier: MIT */
/* Findings of made traces: each kind, its limits, and the order. */
#include <criterion/criterion.h>
#include <string.h>

#include "analysis/made_trace.h"

#define HZ       1000.0 /* one tick is 1 ms */
#define THREAD   0x20000100u
#define OTHER    0x20000200u
#define FIRST    0x20001000u
#define SECOND   0x20001100u
#define QUEUE    0x20002000u
#define POOL     0x20003000u
#define GLITCH   23u
#define TIME_GET 120u /* an event that changes no state */
#define NO_WAIT  0u
#define PERIOD   1000u
#define JOBS     12u

/* No thread and no object has a name. */
static const char *name_of(const void *self, const struct txtap_subject *subject)
{
    (void)self;
    (void)subject;
    return "";
}

static void expect_text(size_t number, const char *expected)
{
    static const struct txtap_finding_names names = {.name = name_of};
    char text[TXTAP_FINDING_TEXT_BYTES];

    cr_assert_lt(number, made_findings()->count, "no finding %zu: %s", number, expected);
    cr_expect_str_eq(txtap_finding_text(text, &made_findings()->at[number], &names, HZ), expected);
}

/* Makes jobs with the period PERIOD that take ten ticks. The last job takes `longest` ticks, and then as many as
 * usual. */
static void make_jobs(uint64_t longest, bool gap)
{
    made_begin(&(struct txtap_analysis_options){.tick_hz = HZ});
    for (uint64_t i = 0; i < JOBS; i++) {
        if (gap && i == JOBS - 1)
            made_gap(3);
        made_job(THREAD, i * PERIOD, i * PERIOD + (i == JOBS - 1 ? longest - 5 : 5),
                 i * PERIOD + (i == JOBS - 1 ? longest : 10));
    }
    made_event(JOBS * PERIOD + longest, MADE_TIMER, TIME_GET, 0, 0, 0, 0);
    made_end();
}

Test(findings, regular_jobs_are_no_finding)
{
    make_jobs(10, false);
    cr_expect_eq(made_findings()->count, 0);
}

Test(findings, a_job_longer_than_the_period_is_late)
{
    make_jobs(PERIOD + 100, false);
    cr_assert_eq(made_findings()->count, 1);
    cr_expect_eq(made_findings()->at[0].span.to - made_findings()->at[0].span.from > PERIOD + 100, true);
    expect_text(0,
                "late job: 0x20000100: a job took 1.10s, the median period is 1.00s; 1.09s ready, waiting for a core; "
                "event 35 at 12.100000 s");
}

Test(findings, an_outlier_is_late_if_it_takes_a_good_part_of_the_period)
{
    make_jobs(PERIOD / 4 - 10, false);
    cr_expect_eq(made_findings()->count, 0, "24 times as long as usual, but not a quarter of the period");
    make_jobs(PERIOD / 4 + 20, false);
    cr_assert_eq(made_findings()->count, 1);
    cr_expect_eq(made_findings()->at[0].kind, TXTAP_FINDING_LATE);
    cr_expect_not(made_findings()->at[0].perhaps);
}

Test(findings, each_thread_has_its_own_period)
{
    made_begin(&(struct txtap_analysis_options){.tick_hz = HZ});
    for (uint64_t i = 0; i < 10 * JOBS; i++) {
        uint64_t longest = i == 105 ? 95 : 10;

        if (i % 10 == 0)
            made_job(THREAD, i * 100, i * 100 + 1, i * 100 + 2);
        made_job(OTHER, i * 100 + 4, i * 100 + 5, i * 100 + longest);
    }
    made_event(JOBS * PERIOD, MADE_TIMER, TIME_GET, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_findings()->count, 1, "a quarter of 100 ticks is late, a quarter of 1000 ticks is not");
    cr_expect_eq(made_findings()->at[0].parties[0].thread.number, OTHER);
}

Test(findings, after_a_loss_a_job_is_late_perhaps)
{
    make_jobs(PERIOD + 100, true);
    cr_assert_eq(made_findings()->count, 2);
    expect_text(0,
                "perhaps a late job: 0x20000100: a job took at least 1.10s, the median period is 1.00s; 1.09s ready, "
                "waiting for a core; event 38 at 12.100000 s");
    expect_text(1, "lost events: 3 in 1 gap");
}

/* Two threads, each of which has a mutex and waits for the other's mutex. */
static void make_deadlock(void)
{
    made_begin(&(struct txtap_analysis_options){.tick_hz = HZ});
    made_object(FIRST, TXTAP_OBJECT_MUTEX, "first");
    made_object(SECOND, TXTAP_OBJECT_MUTEX, "second");
    made_priority(OTHER, 8);
    made_event(0, OTHER, EVENT_MUTEX_GET, SECOND, WAIT_FOREVER, 0, 0);
    made_event(10, OTHER, EVENT_THREAD_RESUME, THREAD, REASON_SLEEP, 0, THREAD);
    made_event(20, THREAD, EVENT_MUTEX_GET, FIRST, WAIT_FOREVER, 0, 0);
    made_event(30, THREAD, EVENT_MUTEX_GET, SECOND, WAIT_FOREVER, OTHER, 1);
    made_event(32, THREAD, EVENT_THREAD_SUSPEND, THREAD, REASON_MUTEX, 0, OTHER);
    made_event(50, OTHER, EVENT_MUTEX_GET, FIRST, WAIT_FOREVER, THREAD, 1);
    made_event(52, OTHER, EVENT_THREAD_SUSPEND, OTHER, REASON_MUTEX, 0, MADE_TIMER);
    made_event(900, MADE_TIMER, TIME_GET, 0, 0, 0, 0);
    made_end();
}

Test(findings, a_deadlock_has_its_threads_and_mutexes_and_hides_its_inversion)
{
    make_deadlock();
    cr_expect_gt(made_stat("unbounded", 0, TXTAP_STAT_VALUE), -1);
    cr_assert_eq(made_findings()->count, 1);
    expect_text(0,
                "deadlock: 0x20000200 waits for mutex 0x20001000, held by 0x20000100 since event 2; 0x20000100 waits "
                "for mutex 0x20001100, held by 0x20000200 since event 0; they wait for ever; closed by event 6 at "
                "0.052000 s");
}

Test(findings, failed_calls_come_before_polls_and_the_most_frequent_first)
{
    made_begin(&(struct txtap_analysis_options){.tick_hz = HZ});
    for (uint32_t i = 0; i < 4; i++)
        made_event(i, THREAD, EVENT_SEMAPHORE_GET, FIRST, NO_WAIT, 0, 0);
    made_event(10, THREAD, EVENT_BLOCK_ALLOCATE, POOL, NO_WAIT, 0, 0);
    made_event(11, THREAD, EVENT_BLOCK_ALLOCATE, POOL + 0x100, NO_WAIT, 0, 0);
    made_event(12, THREAD, EVENT_BLOCK_ALLOCATE, POOL + 0x100, NO_WAIT, 0, 0);
    made_event(20, THREAD, TIME_GET, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_findings()->count, 3);
    expect_text(0, "failed call: tx_block_allocate of 0x20000100, pool 0x20003100: failed 2 times; first at event 5 at "
                   "0.011000 s");
    expect_text(
        1,
        "failed call: tx_block_allocate of 0x20000100, pool 0x20003000: failed 1 time; first at event 4 at 0.010000 s");
    expect_text(
        2, "call without result: tx_semaphore_get of 0x20000100, semaphore 0x20001000: did not wait and got nothing "
           "4 times; first at event 0 at 0.000000 s");
}

Test(findings, the_least_severe_are_left_out)
{
    const uint32_t many = TXTAP_FINDINGS_MAX + 6;

    made_begin(&(struct txtap_analysis_options){.tick_hz = HZ});
    for (uint32_t i = 0; i < many; i++)
        made_event(i, THREAD, EVENT_BLOCK_ALLOCATE, POOL + 0x40 * i, NO_WAIT, 0, 0);
    made_event(many, THREAD, EVENT_BLOCK_ALLOCATE, POOL + 0x40 * (many - 1), NO_WAIT, 0, 0);
    made_event(many + 1, THREAD, TIME_GET, 0, 0, 0, 0);
    made_end();
    cr_expect_eq(made_findings()->count, TXTAP_FINDINGS_MAX);
    cr_expect_eq(made_findings()->left_out, many - TXTAP_FINDINGS_MAX);
    cr_expect_eq(made_findings()->at[0].parties[0].object.number, POOL + 0x40 * (many - 1));
}

Test(findings, a_full_queue_has_its_senders)
{
    made_begin(&(struct txtap_analysis_options){.tick_hz = HZ});
    made_event(0, THREAD, EVENT_QUEUE_CREATE, QUEUE, 1, 0x20004000, 8);
    made_event(10, THREAD, EVENT_QUEUE_SEND, QUEUE, 0, NO_WAIT, 0);
    made_event(20, THREAD, EVENT_QUEUE_SEND, QUEUE, 0, NO_WAIT, 1);
    made_event(30, THREAD, EVENT_QUEUE_SEND, QUEUE, 0, NO_WAIT, 2);
    made_event(130, THREAD, TIME_GET, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_findings()->count, 2);
    cr_expect_eq(made_findings()->at[0].kind, TXTAP_FINDING_FAILED);
    expect_text(1,
                "full queue: 0x20002000: 2 of 2 messages, full for 110ms, sends failed 1 time; event 2 at 0.020000 s");
}

/* Makes an interrupt of two ticks that occurs `count` times, `apart` ticks after the end of the one before. This
 * repeats each second. */
static void make_interrupts(unsigned count, uint64_t apart)
{
    made_begin(&(struct txtap_analysis_options){.tick_hz = HZ});
    for (uint64_t i = 0; i < 10; i++)
        for (uint64_t k = 0; k < count; k++) {
            uint64_t at = 1000 * i + (2 + apart) * k;

            made_interrupt(at, THREAD, EVENT_ISR_ENTER, THREAD, GLITCH, 1, 0);
            made_interrupt(at + 2, THREAD, EVENT_ISR_EXIT, THREAD, GLITCH, 0, 0);
        }
    made_event(10000, THREAD, TIME_GET, 0, 0, 0, 0);
    made_end();
}

Test(findings, an_interrupt_that_occurs_again_at_once_is_a_storm)
{
    make_interrupts(20, 1);
    cr_assert_eq(made_findings()->count, 1);
    expect_text(0, "interrupt storm: interrupt 23: 200 times, half of them within 3.00ms of the one before; the mean "
                   "interval is 45.5ms; event 2 at 0.003000 s");
    make_interrupts(5, 8);
    cr_expect_eq(made_findings()->count, 0, "the handler takes a fifth of the time");
    make_interrupts(1, 1);
    cr_expect_eq(made_findings()->count, 0, "a regular interrupt");
}

Test(findings, need_only_the_section_of_findings)
{
    made_begin(&(struct txtap_analysis_options){.tick_hz = HZ, .sections = TXTAP_SECTION_BIT(TXTAP_SECTION_FINDINGS)});
    made_event(10, THREAD, EVENT_BLOCK_ALLOCATE, POOL, NO_WAIT, 0, 0);
    made_event(20, THREAD, TIME_GET, 0, 0, 0, 0);
    made_end();
    cr_expect_eq(made_findings()->count, 1);
}
