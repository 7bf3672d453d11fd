/* SPDX-License-Identifier: MIT */
/* A mutex passes from its owner to the first waiting thread. The other waiting threads then wait for the new owner. */
#include <criterion/criterion.h>

#include "analysis/made_trace.h"

#define BOSS   0x20000100u /* priority 2 */
#define URGENT 0x20000200u /* priority 4 */
#define HIGH   0x20000300u /* priority 6 */
#define MIDDLE 0x20000400u /* priority 10 */
#define LOW    0x20000500u /* priority 20 */
#define LAST   0x20000600u /* priority 30 */
#define M      0x20001000u
#define N      0x20002000u
#define P      0x20003000u

static void begin(void)
{
    static const struct {
        uint32_t thread;
        uint16_t priority;
    } priorities[] = {{BOSS, 2}, {URGENT, 4}, {HIGH, 6}, {MIDDLE, 10}, {LOW, 20}, {LAST, 30}, {MADE_TIMER, 0}};

    made_begin(&(struct txtap_analysis_options){0});
    for (size_t i = 0; i < sizeof priorities / sizeof *priorities; i++)
        made_priority(priorities[i].thread, priorities[i].priority);
}

/* Records a tx_mutex_get. owner 0: the mutex has no owner. */
static void get(uint64_t ticks, uint32_t thread, uint32_t mutex, uint32_t owner)
{
    made_event(ticks, thread, EVENT_MUTEX_GET, mutex, WAIT_FOREVER, owner, owner != 0);
}

static void put(uint64_t ticks, uint32_t thread, uint32_t mutex)
{
    made_event(ticks, thread, EVENT_MUTEX_PUT, mutex, thread, 1, 0);
}

static void resume(uint64_t ticks, uint32_t by, uint32_t thread, uint32_t reason, uint32_t next)
{
    made_event(ticks, by, EVENT_THREAD_RESUME, thread, reason, 0, next);
}

static void suspend(uint64_t ticks, uint32_t thread, uint32_t reason, uint32_t next)
{
    made_event(ticks, thread, EVENT_THREAD_SUSPEND, thread, reason, 0, next);
}

static void get_and_wait(uint64_t ticks, uint32_t thread, uint32_t mutex, uint32_t owner, uint32_t next)
{
    get(ticks, thread, mutex, owner);
    suspend(ticks + 2, thread, REASON_MUTEX, next);
}

/* The timer thread ends the thread's sleep. Then `next` runs. */
static void wake(uint64_t ticks, uint32_t thread, uint32_t next)
{
    resume(ticks, MADE_TIMER, thread, REASON_SLEEP, MADE_TIMER);
    suspend(ticks + 1, MADE_TIMER, REASON_SUSPENDED, next);
}

static double ticks_of(const char *name, uint32_t subject, uint32_t other)
{
    const struct txtap_figure *figure = made_pair(name, subject, other);

    cr_assert_not_null(figure, "%s of 0x%x and 0x%x", name, (unsigned)subject, (unsigned)other);
    return figure->stat[TXTAP_STAT_SUM].known ? figure->stat[TXTAP_STAT_SUM].value
                                              : figure->stat[TXTAP_STAT_VALUE].value;
}

static void expect(double inversions, double ticks, double unbounded, double unbounded_ticks)
{
    cr_expect_eq(made_stat("inversions", 0, TXTAP_STAT_VALUE), inversions);
    cr_expect_eq(made_stat("inversion_ticks", 0, TXTAP_STAT_VALUE), ticks);
    cr_expect_eq(made_stat("unbounded", 0, TXTAP_STAT_VALUE), unbounded);
    cr_expect_eq(made_stat("unbounded_ticks", 0, TXTAP_STAT_VALUE), unbounded_ticks);
}

/*
 * LOW has the mutex. First MIDDLE and then URGENT wait for it. MIDDLE gets it, and runs for 100 ticks as its owner.
 */
static void play_queue(void)
{
    begin();
    get(0, LOW, M, 0);
    resume(10, LOW, MIDDLE, REASON_SLEEP, MIDDLE);
    get_and_wait(20, MIDDLE, M, LOW, LOW);
    resume(30, LOW, URGENT, REASON_SLEEP, URGENT);
    get_and_wait(40, URGENT, M, LOW, LOW);
    put(50, LOW, M);
    resume(52, LOW, MIDDLE, REASON_MUTEX, MIDDLE);
    put(150, MIDDLE, M);
    resume(152, MIDDLE, URGENT, REASON_MUTEX, URGENT);
    put(160, URGENT, M);
    suspend(170, URGENT, REASON_SLEEP, MIDDLE);
    suspend(180, MIDDLE, REASON_SLEEP, LOW);
    made_end();
}

Test(handover, a_new_owner_is_no_inversion_by_itself)
{
    play_queue();
    expect(2, (52 - 22) + (152 - 42), 0, 0);
    cr_assert_null(made_figure("unbounded_by", URGENT));
    cr_expect_eq(ticks_of("inversion", URGENT, LOW), 52 - 42);
    cr_expect_eq(ticks_of("inversion", URGENT, MIDDLE), 152 - 52);
    cr_expect_eq(ticks_of("inversion", MIDDLE, LOW), 52 - 22);
}

Test(handover, waiting_threads_then_wait_for_the_new_owner)
{
    play_queue();
    cr_expect_eq(ticks_of("waits_for", URGENT, LOW), 52 - 42);
    cr_expect_eq(ticks_of("waits_for", URGENT, MIDDLE), 152 - 52);
    cr_expect_eq(ticks_of("waits_for", MIDDLE, LOW), 52 - 22);
    cr_expect_eq(made_stat("contended", M, TXTAP_STAT_VALUE), 2);
    cr_expect_eq(made_stat("hold", M, TXTAP_STAT_SUM), 50 + (150 - 52) + (160 - 152));
}

/*
 * BOSS sleeps while it owns the mutex. First LOW and then URGENT wait for it. LOW gets it; from then on URGENT's wait
 * is an inversion.
 */
static void play_worse_owner(void)
{
    begin();
    get(0, BOSS, M, 0);
    suspend(5, BOSS, REASON_SLEEP, LOW);
    get_and_wait(10, LOW, M, BOSS, 0);
    wake(20, URGENT, URGENT);
    get_and_wait(25, URGENT, M, BOSS, 0);
    wake(30, BOSS, BOSS);
    put(40, BOSS, M);
    resume(41, BOSS, LOW, REASON_MUTEX, BOSS);
    suspend(45, BOSS, REASON_SLEEP, LOW);
    resume(50, LOW, MIDDLE, REASON_SLEEP, MIDDLE);
    suspend(100, MIDDLE, REASON_SLEEP, LOW);
    put(110, LOW, M);
    resume(111, LOW, URGENT, REASON_MUTEX, URGENT);
    suspend(120, URGENT, REASON_SLEEP, LOW);
    made_end();
}

Test(handover, may_begin_an_inversion)
{
    play_worse_owner();
    expect(1, 111 - 41, 1, 50);
    cr_expect_eq(ticks_of("unbounded_by", URGENT, MIDDLE), 50);
    cr_expect_eq(ticks_of("inversion", URGENT, LOW), 111 - 41);
    cr_expect_null(made_pair("inversion", URGENT, BOSS));
    cr_expect_eq(ticks_of("waits_for", URGENT, BOSS), 41 - 27);
    cr_expect_eq(ticks_of("waits_for", URGENT, LOW), 111 - 41);
}

/* LOW has the mutex. BOSS gets it next, and URGENT then waits for a thread of higher priority: no inversion any more.
 */
Test(handover, may_end_an_inversion)
{
    begin();
    get(0, LOW, M, 0);
    resume(10, LOW, BOSS, REASON_SLEEP, BOSS);
    get_and_wait(20, BOSS, M, LOW, LOW);
    resume(30, LOW, URGENT, REASON_SLEEP, URGENT);
    get_and_wait(40, URGENT, M, LOW, LOW);
    put(50, LOW, M);
    resume(52, LOW, BOSS, REASON_MUTEX, BOSS);
    suspend(60, BOSS, REASON_SLEEP, LOW);
    suspend(160, LOW, REASON_SLEEP, 0);
    wake(170, BOSS, BOSS);
    put(180, BOSS, M);
    resume(181, BOSS, URGENT, REASON_MUTEX, BOSS);
    suspend(190, BOSS, REASON_SLEEP, URGENT);
    made_end();
    expect(2, (52 - 22) + (52 - 42), 1, 42 - 30);
    cr_expect_eq(ticks_of("unbounded_by", BOSS, URGENT), 42 - 30);
    cr_expect_eq(made_stat("inversion", 0, TXTAP_STAT_N), 2);
}

/*
 * A chain: URGENT waits for HIGH, HIGH for MIDDLE, MIDDLE for LOW. Then the owners put their mutexes one after another.
 */
static void play_chain(void)
{
    begin();
    get(0, LOW, P, 0);
    resume(10, LOW, MIDDLE, REASON_SLEEP, MIDDLE);
    get(15, MIDDLE, N, 0);
    get_and_wait(20, MIDDLE, P, LOW, LOW);
    resume(30, LOW, HIGH, REASON_SLEEP, HIGH);
    get(35, HIGH, M, 0);
    get_and_wait(40, HIGH, N, MIDDLE, LOW);
    resume(50, LOW, URGENT, REASON_SLEEP, URGENT);
    get_and_wait(60, URGENT, M, HIGH, LOW);
}

static void end_chain(void)
{
    put(122, LOW, P);
    resume(123, LOW, MIDDLE, REASON_MUTEX, MIDDLE);
    put(143, MIDDLE, N);
    resume(144, MIDDLE, HIGH, REASON_MUTEX, HIGH);
    put(150, HIGH, M);
    resume(151, HIGH, URGENT, REASON_MUTEX, URGENT);
    suspend(160, URGENT, REASON_SLEEP, HIGH);
    suspend(170, HIGH, REASON_SLEEP, MIDDLE);
    made_end();
}

Test(handover, the_threads_of_a_chain_are_no_inversion)
{
    play_chain();
    end_chain();
    expect(3, (123 - 22) + (144 - 42) + (151 - 62), 0, 0);
}

/* LAST has the lowest priority. While LOW sleeps, LAST runs, and so delays all waiting threads. */
Test(handover, a_thread_outside_the_chain_delays_the_whole_chain)
{
    play_chain();
    suspend(70, LOW, REASON_SLEEP, LAST);
    resume(100, LAST, LOW, REASON_SLEEP, LOW);
    end_chain();
    expect(3, (123 - 22) + (144 - 42) + (151 - 62), 3, 3 * 30);
    cr_expect_eq(ticks_of("unbounded_by", URGENT, LAST), 30);
    cr_expect_eq(ticks_of("unbounded_by", HIGH, LAST), 30);
    cr_expect_eq(ticks_of("unbounded_by", MIDDLE, LAST), 30);
}

/*
 * URGENT waits for LOW's M while MIDDLE runs for 10 ticks, and then for LAST's N while MIDDLE runs for 60 ticks and LOW
 * for 2. Each finding has the owner of its mutex. It is unknown which thread ran during the waits for which mutex.
 */
Test(handover, each_finding_has_the_owner_of_its_mutex)
{
    const struct txtap_findings *findings;

    begin();
    get(0, LOW, M, 0);
    suspend(2, LOW, REASON_SLEEP, LAST);
    get(4, LAST, N, 0);
    resume(10, LAST, URGENT, REASON_SLEEP, URGENT);
    resume(12, URGENT, MIDDLE, REASON_SLEEP, URGENT);
    get_and_wait(20, URGENT, M, LOW, MIDDLE);
    resume(30, MIDDLE, LOW, REASON_SLEEP, MIDDLE);
    suspend(32, MIDDLE, REASON_SLEEP, LOW);
    put(40, LOW, M);
    resume(42, LOW, URGENT, REASON_MUTEX, URGENT);
    resume(44, URGENT, MIDDLE, REASON_SLEEP, URGENT);
    get_and_wait(50, URGENT, N, LAST, MIDDLE);
    suspend(112, MIDDLE, REASON_SLEEP, LOW);
    suspend(114, LOW, REASON_SLEEP, LAST);
    put(120, LAST, N);
    resume(122, LAST, URGENT, REASON_MUTEX, URGENT);
    made_end();
    findings = made_findings();
    cr_assert_eq(findings->count, 2);
    cr_expect_eq(findings->at[0].parties[0].object.number, N);
    cr_expect_eq(findings->at[0].parties[0].owner.number, LAST);
    cr_expect_eq(findings->at[0].value.value, 62);
    cr_expect_eq(findings->at[0].party_count, 1);
    cr_expect_eq(findings->at[1].parties[0].object.number, M);
    cr_expect_eq(findings->at[1].parties[0].owner.number, LOW);
}

Test(handover, an_interrupt_is_not_an_inversion)
{
    play_chain();
    suspend(70, LOW, REASON_SLEEP, LAST);
    made_interrupt(80, LAST, EVENT_ISR_ENTER, 0, 9, 1, 0);
    made_interrupt(90, LAST, EVENT_ISR_EXIT, 0, 9, 1, 0);
    resume(100, LAST, LOW, REASON_SLEEP, LOW);
    end_chain();
    expect(3, (123 - 22) + (144 - 42) + (151 - 62), 3, 3 * (10 + 10));
}

/* HIGH gives up after URGENT has begun to wait, and then runs for 9 ticks. URGENT waits for LOW all the time.
 */
Test(handover, a_thread_that_gives_up_leaves_the_queue)
{
    begin();
    get(0, LOW, M, 0);
    resume(10, LOW, HIGH, REASON_SLEEP, HIGH);
    made_event(20, HIGH, EVENT_MUTEX_GET, M, 5, LOW, 1);
    suspend(22, HIGH, REASON_MUTEX, LOW);
    resume(30, LOW, URGENT, REASON_SLEEP, URGENT);
    get_and_wait(40, URGENT, M, LOW, LOW);
    made_interrupt(58, LOW, EVENT_THREAD_RESUME, MADE_TIMER, REASON_SUSPENDED, 0, MADE_TIMER);
    resume(60, MADE_TIMER, HIGH, REASON_MUTEX, MADE_TIMER);
    suspend(61, MADE_TIMER, REASON_SUSPENDED, HIGH);
    suspend(70, HIGH, REASON_SLEEP, LOW);
    put(80, LOW, M);
    resume(81, LOW, URGENT, REASON_MUTEX, URGENT);
    suspend(90, URGENT, REASON_SLEEP, LOW);
    made_end();
    expect(2, (60 - 22) + (81 - 42), 1, 70 - 61);
    cr_expect_eq(made_stat("timeouts", M, TXTAP_STAT_VALUE), 1);
    cr_expect_eq(ticks_of("waits_for", HIGH, LOW), 60 - 22);
    cr_expect_eq(made_stat("hold", M, TXTAP_STAT_N), 1);
}

/* BOSS terminates LOW, which is ready and owns the mutex. The kernel puts the mutex, and records it as a put of BOSS.
 */
Test(handover, a_terminated_owner_gives_up_its_mutexes)
{
    begin();
    get(0, LOW, M, 0);
    get(5, LOW, N, 0);
    resume(10, LOW, URGENT, REASON_SLEEP, URGENT);
    get_and_wait(20, URGENT, M, LOW, LOW);
    resume(30, LOW, BOSS, REASON_SLEEP, BOSS);
    made_event(40, BOSS, EVENT_THREAD_TERMINATE, LOW, 0, 0, 0);
    made_event(41, BOSS, EVENT_THREAD_SUSPEND, LOW, REASON_TERMINATED, 0, BOSS);
    made_event(42, BOSS, EVENT_MUTEX_PUT, M, LOW, 1, 0);
    resume(43, BOSS, URGENT, REASON_MUTEX, BOSS);
    made_event(44, BOSS, EVENT_MUTEX_PUT, N, LOW, 1, 0);
    get(60, BOSS, N, 0);
    put(70, BOSS, N);
    suspend(80, BOSS, REASON_SLEEP, URGENT);
    put(100, URGENT, M);
    suspend(110, URGENT, REASON_SLEEP, 0);
    made_end();
    expect(1, 43 - 22, 0, 0);
    cr_expect_eq(made_stat("hold", M, TXTAP_STAT_SUM), 42 + (100 - 43));
    cr_expect_eq(made_stat("hold", N, TXTAP_STAT_SUM), (44 - 5) + 10);
    cr_expect_eq(made_figure("hold", N)->censored, 0);
}

/*
 * URGENT waits for LOW. BOSS terminates URGENT, and no event records a suspension. Afterwards no thread waits.
 */
Test(handover, a_terminated_thread_no_longer_waits)
{
    begin();
    get(0, LOW, M, 0);
    resume(10, LOW, URGENT, REASON_SLEEP, URGENT);
    get_and_wait(20, URGENT, M, LOW, LOW);
    resume(30, LOW, BOSS, REASON_SLEEP, BOSS);
    made_event(40, BOSS, EVENT_THREAD_TERMINATE, URGENT, REASON_MUTEX, 0, 0);
    suspend(50, BOSS, REASON_SLEEP, LOW);
    resume(60, LOW, MIDDLE, REASON_SLEEP, MIDDLE);
    suspend(160, MIDDLE, REASON_SLEEP, LOW);
    put(170, LOW, M);
    suspend(180, LOW, REASON_SLEEP, 0);
    made_end();
    expect(1, 40 - 22, 0, 0);
    cr_expect_eq(ticks_of("waits_for", URGENT, LOW), 40 - 22);
    cr_expect_eq(ticks_of("block", URGENT, M), 40 - 22);
    cr_expect_eq(made_stat("hold", M, TXTAP_STAT_SUM), 170);
    cr_expect_null(made_pair("woken_by", URGENT, BOSS));
}

/* tx_mutex_delete() first puts the mutex for its owner. Then it resumes the waiting threads, but none gets the mutex.
 */
Test(handover, a_deleted_mutex_has_no_new_owner)
{
    begin();
    get(0, LOW, M, 0);
    resume(10, LOW, URGENT, REASON_SLEEP, URGENT);
    get_and_wait(20, URGENT, M, LOW, LOW);
    resume(30, LOW, BOSS, REASON_SLEEP, BOSS);
    get_and_wait(40, BOSS, M, LOW, LOW);
    made_event(60, LOW, EVENT_MUTEX_DELETE, M, 0, 0, 0);
    made_event(61, LOW, EVENT_MUTEX_PUT, M, LOW, 1, 0);
    resume(62, LOW, URGENT, REASON_MUTEX, LOW);
    resume(63, LOW, BOSS, REASON_MUTEX, BOSS);
    suspend(70, BOSS, REASON_SLEEP, URGENT);
    suspend(170, URGENT, REASON_SLEEP, LOW);
    suspend(180, LOW, REASON_SLEEP, 0);
    made_end();
    expect(2, (62 - 22) + (63 - 42), 0, 0);
    cr_expect_eq(made_stat("hold", M, TXTAP_STAT_N), 1);
    cr_expect_eq(made_stat("hold", M, TXTAP_STAT_SUM), 61);
    cr_expect_eq(made_figure("hold", M)->censored, 0);
    cr_expect_null(made_figure("wait", M));
}

/* Only an owner can put a mutex, so this put fails. The timer thread ends the wait next, so it has timed out. */
Test(handover, a_put_by_another_thread_does_not_change_the_owner)
{
    begin();
    get(0, LOW, M, 0);
    resume(10, LOW, URGENT, REASON_SLEEP, URGENT);
    made_event(20, URGENT, EVENT_MUTEX_GET, M, 5, LOW, 1);
    suspend(22, URGENT, REASON_MUTEX, LOW);
    made_event(50, MADE_TIMER, EVENT_MUTEX_PUT, M, LOW, 1, 0);
    resume(52, MADE_TIMER, URGENT, REASON_MUTEX, MADE_TIMER);
    suspend(54, MADE_TIMER, REASON_SUSPENDED, URGENT);
    suspend(60, URGENT, REASON_SLEEP, LOW);
    put(80, LOW, M);
    made_event(90, LOW, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_expect_eq(made_stat("timeouts", M, TXTAP_STAT_VALUE), 1);
    cr_expect_eq(made_stat("hold", M, TXTAP_STAT_N), 1);
    cr_expect_eq(made_stat("hold", M, TXTAP_STAT_SUM), 80);
}

/* URGENT waits for the mutex N of MIDDLE, and MIDDLE for M. M passes from LOW to LAST, so the chain now ends with
 * LAST. */
Test(handover, changes_the_end_of_a_chain)
{
    begin();
    get(0, LOW, M, 0);
    suspend(5, LOW, REASON_SLEEP, LAST);
    get_and_wait(10, LAST, M, LOW, 0);
    wake(20, MIDDLE, MIDDLE);
    get(25, MIDDLE, N, 0);
    get_and_wait(30, MIDDLE, M, LOW, 0);
    wake(40, URGENT, URGENT);
    get_and_wait(45, URGENT, N, MIDDLE, 0);
    wake(50, LOW, LOW);
    put(60, LOW, M);
    resume(61, LOW, LAST, REASON_MUTEX, LOW);
    suspend(91, LOW, REASON_SLEEP, LAST); /* LOW has delayed LAST by 30 ticks */
    put(131, LAST, M);
    resume(132, LAST, MIDDLE, REASON_MUTEX, MIDDLE);
    put(140, MIDDLE, N);
    resume(141, MIDDLE, URGENT, REASON_MUTEX, URGENT);
    suspend(150, URGENT, REASON_SLEEP, MIDDLE);
    made_end();
    expect(2, (132 - 32) + (141 - 47), 2, 2 * 30);
    cr_expect_eq(ticks_of("unbounded_by", URGENT, LOW), 30);
    cr_expect_eq(ticks_of("unbounded_by", MIDDLE, LOW), 30);
}

/* LOW has priority 3 for a while; then URGENT's wait for LOW is no inversion. */
Test(handover, a_change_of_the_owners_priority_begins_an_inversion)
{
    begin();
    made_event(0, BOSS, EVENT_THREAD_PRIORITY_CHANGE, LOW, 3, 20, 0);
    suspend(1, BOSS, REASON_SLEEP, LOW);
    made_priority(LOW, 3);
    get(5, LOW, M, 0);
    suspend(6, LOW, REASON_SLEEP, URGENT);
    get_and_wait(10, URGENT, M, LOW, 0);
    wake(20, BOSS, BOSS);
    made_event(30, BOSS, EVENT_THREAD_PRIORITY_CHANGE, LOW, 20, 3, REASON_SLEEP);
    made_priority(LOW, 20);
    suspend(35, BOSS, REASON_SLEEP, MIDDLE);
    suspend(65, MIDDLE, REASON_SLEEP, 0);
    wake(70, LOW, LOW);
    put(80, LOW, M);
    resume(81, LOW, URGENT, REASON_MUTEX, URGENT);
    suspend(90, URGENT, REASON_SLEEP, LOW);
    made_end();
    expect(1, 81 - 30, 1, 30);
}

/* MIDDLE owns a mutex and has inherited priority 2 through it, so it does not delay URGENT when it runs. */
Test(handover, a_thread_delays_by_the_priority_it_has_inherited)
{
    begin();
    made_event(0, MIDDLE, EVENT_MUTEX_CREATE, N, 1, 0, 0);
    get(1, MIDDLE, N, 0);
    suspend(2, MIDDLE, REASON_SLEEP, LOW);
    get(5, LOW, M, 0);
    resume(10, LOW, URGENT, REASON_SLEEP, URGENT);
    get_and_wait(20, URGENT, M, LOW, LOW);
    wake(30, MIDDLE, MIDDLE); /* for 9 ticks MIDDLE runs with its own priority, and delays URGENT */
    resume(40, MIDDLE, BOSS, REASON_SLEEP, BOSS);
    get(50, BOSS, N, MIDDLE);
    made_event(51, BOSS, EVENT_THREAD_SUSPEND, MIDDLE, REASON_PRIORITY, 0, BOSS);
    made_event(52, BOSS, EVENT_THREAD_RESUME, MIDDLE, REASON_PRIORITY, 0, BOSS);
    suspend(53, BOSS, REASON_MUTEX, MIDDLE);
    made_priority(MIDDLE, 2);
    put(90, MIDDLE, N);
    made_event(91, MIDDLE, EVENT_THREAD_SUSPEND, MIDDLE, REASON_PRIORITY, 0, LOW);
    made_priority(MIDDLE, 10);
    made_event(92, MIDDLE, EVENT_THREAD_RESUME, MIDDLE, REASON_PRIORITY, 0, MIDDLE);
    resume(93, MIDDLE, BOSS, REASON_MUTEX, BOSS);
    suspend(100, BOSS, REASON_SLEEP, MIDDLE);
    suspend(110, MIDDLE, REASON_SLEEP, LOW);
    put(120, LOW, M);
    resume(121, LOW, URGENT, REASON_MUTEX, URGENT);
    suspend(130, URGENT, REASON_SLEEP, LOW);
    made_end();
    cr_expect_eq(ticks_of("unbounded_by", URGENT, MIDDLE), (40 - 31) + (93 - 92) + (110 - 100));
    /* in the tick from 91 to 92 MIDDLE may have the old priority or the new priority */
    cr_expect_eq(made_pair("unbounded_by", URGENT, MIDDLE)->stat[TXTAP_STAT_VALUE].upper, 20 + (92 - 91));
}

/* MIDDLE runs with an inherited priority. Within 4 ticks, at an unknown time, it returns to its own priority. */
Test(handover, threads_that_may_have_delayed_are_listed)
{
    begin();
    get(5, LOW, M, 0);
    resume(10, LOW, URGENT, REASON_SLEEP, URGENT);
    get_and_wait(20, URGENT, M, LOW, MIDDLE);
    made_priority(MIDDLE, 2);
    put(30, MIDDLE, N);
    made_event(31, MIDDLE, EVENT_THREAD_SUSPEND, MIDDLE, REASON_PRIORITY, 0, LOW);
    made_priority(MIDDLE, 10);
    made_event(35, MIDDLE, EVENT_THREAD_RESUME, MIDDLE, REASON_PRIORITY, 0, LOW);
    put(45, LOW, M);
    resume(46, LOW, URGENT, REASON_MUTEX, URGENT);
    made_end();
    cr_expect_eq(ticks_of("unbounded_by", URGENT, MIDDLE), 0);
    cr_expect_eq(made_pair("unbounded_by", URGENT, MIDDLE)->stat[TXTAP_STAT_VALUE].upper, 4);
}

/* LOW and MIDDLE are in a deadlock. URGENT waits for LOW, so every running thread delays URGENT. */
Test(handover, in_a_deadlock_every_running_thread_delays)
{
    begin();
    get(0, LOW, M, 0);
    resume(5, LOW, MIDDLE, REASON_SLEEP, MIDDLE);
    get(10, MIDDLE, N, 0);
    get_and_wait(15, MIDDLE, M, LOW, LOW);
    resume(20, LOW, URGENT, REASON_SLEEP, URGENT);
    get_and_wait(25, URGENT, M, LOW, LOW);
    get_and_wait(30, LOW, N, MIDDLE, LAST);
    made_event(60, LAST, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_expect_eq(made_stat("deadlock", 0, TXTAP_STAT_N), 1);
    cr_expect_eq(made_stat("unbounded", 0, TXTAP_STAT_VALUE), 2);
    cr_expect_eq(ticks_of("unbounded_by", URGENT, LAST), 60 - 32);
    cr_expect_eq(ticks_of("unbounded_by", MIDDLE, LAST), 60 - 32);
}

/* On one core LOW runs, which owns the mutex. So LAST, which runs on the other core, delays no thread. */
Test(handover, on_two_cores_an_owner_that_runs_is_not_delayed)
{
    begin();
    get(0, LOW, M, 0);
    made_core(1);
    get(10, URGENT, M, LOW);
    suspend(12, URGENT, REASON_MUTEX, LAST);
    made_event(50, LAST, EVENT_RUNNING, 0, 0, 0, 0);
    made_core(0);
    put(60, LOW, M);
    resume(61, LOW, URGENT, REASON_MUTEX, URGENT);
    suspend(70, URGENT, REASON_SLEEP, LOW);
    made_event(80, LOW, EVENT_RUNNING, 0, 0, 0, 0);
    made_core(1);
    made_event(90, LAST, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    expect(1, 61 - 12, 0, 0);
}

/* URGENT deletes a mutex that LOW owns. So LOW returns to its own priority, and its preemption threshold now lets it
 * run. The kernel switches to it at the end of the service, but the last event still names URGENT. */
Test(handover, a_switch_that_ends_a_service_shows_in_the_next_event)
{
    begin();
    made_event(0, URGENT, EVENT_MUTEX_DELETE, M, 0, 0, 0);
    made_event(2, URGENT, EVENT_MUTEX_PUT, M, LOW, 1, 0);
    made_event(4, URGENT, EVENT_THREAD_SUSPEND, LOW, REASON_PRIORITY, 0, URGENT);
    resume(6, URGENT, LOW, REASON_PRIORITY, URGENT);
    made_event(36, LOW, EVENT_RUNNING, 0, 0, 0, 0);
    made_event(40, LOW, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_expect_eq(made_stat("cpu_ticks", LOW, TXTAP_STAT_VALUE), 34);
    cr_expect_eq(made_stat("cpu_ticks", URGENT, TXTAP_STAT_VALUE), 6);
}
