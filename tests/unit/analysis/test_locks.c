/* SPDX-License-Identifier: MIT */
/* Semaphores as locks: holding times, waits, priority inversions, deadlocks. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "analysis/made_trace.h"

#define HIGH   0x20000100u
#define MIDDLE 0x20000200u
#define LOW    0x20000300u
#define GUARD  0x20001000u
#define SECOND 0x20002000u

static const struct txtap_analysis_options locks = {.locks = {"gua*", "0x20002000"}, .lock_count = 2};

static void begin(const struct txtap_analysis_options *options)
{
    made_begin(options);
    made_object(GUARD, TXTAP_OBJECT_SEMAPHORE, "guard");
    made_priority(HIGH, 4);
    made_priority(MIDDLE, 10);
    made_priority(LOW, 20);
}

static void get(uint64_t ticks, uint32_t thread, uint32_t lock, uint32_t count)
{
    made_event(ticks, thread, EVENT_SEMAPHORE_GET, lock, WAIT_FOREVER, count, 0);
}

static void put(uint64_t ticks, uint32_t thread, uint32_t lock, uint32_t count)
{
    made_event(ticks, thread, EVENT_SEMAPHORE_PUT, lock, count, 0, 0);
}

/* Records that `thread` puts the lock, and that the waiting thread `to` gets it. */
static void hand_over(uint64_t ticks, uint32_t thread, uint32_t lock, uint32_t to)
{
    made_event(ticks, thread, EVENT_SEMAPHORE_PUT, lock, 0, 1, 0);
    made_event(ticks + 1, thread, EVENT_THREAD_RESUME, to, REASON_SEMAPHORE, 0, to);
}

/*
 * An inversion: LOW holds the lock from 0 to 90. HIGH waits for it from 22 to 91, and holds it until 95. MIDDLE runs
 * from 30 to 80.
 */
static void play_inversion(void)
{
    get(0, LOW, GUARD, 1);
    made_event(10, LOW, EVENT_THREAD_RESUME, HIGH, REASON_SLEEP, 0, HIGH);
    get(20, HIGH, GUARD, 0);
    made_event(22, HIGH, EVENT_THREAD_SUSPEND, HIGH, REASON_SEMAPHORE, 0, LOW);
    made_event(30, LOW, EVENT_THREAD_RESUME, MIDDLE, REASON_SLEEP, 0, MIDDLE);
    made_event(80, MIDDLE, EVENT_THREAD_SUSPEND, MIDDLE, REASON_SLEEP, 0, LOW);
    hand_over(90, LOW, GUARD, HIGH);
    put(95, HIGH, GUARD, 0);
    made_event(100, HIGH, EVENT_THREAD_SUSPEND, HIGH, REASON_SLEEP, 0, LOW);
    made_event(110, LOW, EVENT_RUNNING, 0, 0, 0, 0);
    made_event(120, LOW, EVENT_RUNNING, 0, 0, 0, 0);
}

Test(locks, are_held_and_waited_for_as_mutexes_are)
{
    begin(&locks);
    play_inversion();
    made_end();
    cr_assert_eq(made_stat("hold", GUARD, TXTAP_STAT_N), 2);
    cr_assert_eq(made_stat("hold", GUARD, TXTAP_STAT_MAX), 90);
    cr_assert_eq(made_stat("hold", GUARD, TXTAP_STAT_MIN), 4);
    cr_assert_eq(made_stat("contended", GUARD, TXTAP_STAT_VALUE), 1);
    cr_assert_eq(made_stat("waits_for", HIGH, TXTAP_STAT_SUM), 91 - 22);
    cr_assert_eq(made_figure("waits_for", HIGH)->other.number, LOW);
    cr_assert_eq(made_stat("wait", GUARD, TXTAP_STAT_SUM), 91 - 22);
    cr_assert_eq(made_stat("gets", GUARD, TXTAP_STAT_VALUE), 2);
}

Test(locks, invert_priorities)
{
    begin(&locks);
    play_inversion();
    made_end();
    cr_assert_eq(made_stat("inversions", 0, TXTAP_STAT_VALUE), 1);
    cr_assert_eq(made_stat("inversion_ticks", 0, TXTAP_STAT_VALUE), 91 - 22);
    cr_assert_eq(made_stat("unbounded", 0, TXTAP_STAT_VALUE), 1);
    cr_assert_eq(made_stat("unbounded_ticks", 0, TXTAP_STAT_VALUE), 80 - 30);
    cr_assert_eq(made_figure("unbounded_by", HIGH)->other.number, MIDDLE);
}

Test(locks, are_only_the_semaphores_that_the_user_names)
{
    begin(&(struct txtap_analysis_options){0});
    play_inversion();
    made_end();
    cr_assert_null(made_figure("hold", GUARD));
    cr_assert_null(made_figure("waits_for", HIGH));
    cr_assert_eq(made_stat("inversions", 0, TXTAP_STAT_VALUE), 0);
}

Test(locks, with_a_count_above_one_have_no_owner)
{
    begin(&locks);
    get(0, LOW, GUARD, 2);
    put(10, LOW, GUARD, 1);
    get(20, LOW, GUARD, 1);
    put(30, LOW, GUARD, 0);
    made_event(40, LOW, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_null(made_figure("hold", GUARD));
    cr_assert_eq(made_stat("above_one", GUARD, TXTAP_STAT_VALUE), 2);
}

Test(locks, form_deadlocks)
{
    begin(&locks);
    get(0, LOW, GUARD, 1);
    made_event(10, LOW, EVENT_THREAD_RESUME, HIGH, REASON_SLEEP, 0, HIGH);
    get(20, HIGH, SECOND, 1);
    get(30, HIGH, GUARD, 0);
    made_event(31, HIGH, EVENT_THREAD_SUSPEND, HIGH, REASON_SEMAPHORE, 0, LOW);
    get(40, LOW, SECOND, 0);
    made_event(41, LOW, EVENT_THREAD_SUSPEND, LOW, REASON_SEMAPHORE, 0, 0);
    made_event(90, MADE_TIMER, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_stat("deadlock", 0, TXTAP_STAT_N), 1);
    cr_assert_eq(made_stat("deadlock", 0, TXTAP_STAT_MAX), 0);
    cr_assert_eq(made_figure("deadlock", 0)->stat[TXTAP_STAT_MAX].lower, 90 - 41);
}

/* Returns the number of the event that the figure names. */
static uint64_t event_of(const char *name, uint32_t subject, uint32_t other)
{
    const struct txtap_figure *figure = made_pair(name, subject, other);

    cr_assert_not_null(figure, "%s", name);
    cr_assert(figure->max_at.known, "%s", name);
    return figure->max_at.seq;
}

Test(locks, in_a_deadlock_have_owners_with_the_events_of_their_gets)
{
    begin(&locks);
    get(0, LOW, GUARD, 1);
    made_event(10, LOW, EVENT_THREAD_RESUME, HIGH, REASON_SLEEP, 0, HIGH);
    get(20, HIGH, SECOND, 1);
    get(30, HIGH, GUARD, 0);
    made_event(31, HIGH, EVENT_THREAD_SUSPEND, HIGH, REASON_SEMAPHORE, 0, LOW);
    get(40, LOW, SECOND, 0);
    made_event(41, LOW, EVENT_THREAD_SUSPEND, LOW, REASON_SEMAPHORE, 0, 0);
    made_event(90, MADE_TIMER, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_expect_eq(event_of("deadlock_owner", GUARD, LOW), 0);
    cr_expect_eq(event_of("deadlock_owner", SECOND, HIGH), 2);
    cr_expect_eq(event_of("deadlock_member", HIGH, GUARD), 6);
}

Test(locks, held_over_a_gap_are_held_at_least_that_long)
{
    begin(&locks);
    get(0, LOW, GUARD, 1);
    made_event(50, LOW, EVENT_RUNNING, 0, 0, 0, 0);
    made_gap(3);
    put(90, LOW, GUARD, 0);
    made_event(100, LOW, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_figure("hold", GUARD)->censored, 2);
    cr_assert_eq(made_figure("hold", GUARD)->stat[TXTAP_STAT_MAX].lower, 50);
    cr_assert(isinf(made_figure("hold", GUARD)->stat[TXTAP_STAT_MAX].upper));
}

Test(locks, are_released_by_any_thread_that_puts_them)
{
    begin(&locks);
    get(0, LOW, GUARD, 1);
    made_event(10, LOW, EVENT_THREAD_RESUME, MIDDLE, REASON_SLEEP, 0, MIDDLE);
    put(25, MIDDLE, GUARD, 0);
    made_event(40, MIDDLE, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_stat("hold", GUARD, TXTAP_STAT_N), 1);
    cr_assert_eq(made_stat("hold", GUARD, TXTAP_STAT_MAX), 25);
}
