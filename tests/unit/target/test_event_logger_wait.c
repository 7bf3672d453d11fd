/* SPDX-License-Identifier: MIT */
/* Waiting for events of the kernel event logger: how long a wait lasts, which events end it, and its result. */
#include "kernel_event_logger.h"
#include "target/event_logger_port.h"

#include <criterion/criterion.h>

enum { ROOM = 4 };

static int get_wait(void)
{
    got.size = ROOM;
    return sys_k_event_logger_get_wait(&got.id, &got.dropped, got.data, &got.size);
}

static int get_wait_timeout(uint32_t timeout)
{
    got.size = ROOM;
    return sys_k_event_logger_get_wait_timeout(&got.id, &got.dropped, got.data, &got.size, timeout);
}

static void put(uint16_t event_id, uint8_t length)
{
    sys_k_event_logger_put(event_id, (const uint32_t[]){1, 2, 3, 4, 5, 6, 7, 8}, length);
}

static void setup(void)
{
    sys_k_event_logger_init();
}

TestSuite(event_logger_wait, .init = setup);

/* ---------------------------------------------------------------------------------------------- waits */

static void event_after_three_waits(uint32_t ticks)
{
    cr_assert_eq(ticks, 0xFFFFFFFFu);
    if (port_waits == 3) {
        put(50, 2);
    }
}

Test(event_logger_wait, waits_forever_despite_waits_that_end_early)
{
    port_on_wait = event_after_three_waits;
    cr_expect_eq(get_wait(), 2);
    cr_expect_eq(got.id, 50);
    cr_expect_eq(got.size, 2);
    cr_expect_eq(got.data[1], 2);
    cr_expect_eq(port_waits, 3);
}

Test(event_logger_wait, does_not_wait_while_there_is_an_event)
{
    put(50, 1);
    put(51, 3);
    put(52, 3);
    cr_expect_eq(get_wait(), 1);
    cr_expect_eq(get_wait_timeout(10), 3);
    cr_expect_eq(get_wait_timeout(0), 3);
    cr_expect_eq(got.id, 52);
    cr_expect_eq(port_waits, 0);
}

Test(event_logger_wait, returns_at_once_if_there_is_too_little_room)
{
    put(50, 5);
    cr_expect_eq(get_wait(), -EMSGSIZE);
    cr_expect_eq(got.size, 5);
    cr_expect_eq(get_wait_timeout(100), -EMSGSIZE);
    cr_expect_eq(got.size, 5);
    cr_expect_eq(get_wait_timeout(0), -EMSGSIZE);
    uint32_t enough[5];
    cr_expect_eq(sys_k_event_logger_get_wait(&got.id, &got.dropped, enough, &got.size), 5);
    cr_expect_eq(got.id, 50);
    cr_expect_eq(port_waits, 0);
}

/* -------------------------------------------------------------------------------------------- timeouts */

static void time_passes(uint32_t ticks)
{
    port_ticks += ticks;
}

Test(event_logger_wait, returns_nothing_when_the_time_has_passed)
{
    got.id = 77;
    port_on_wait = time_passes;
    cr_expect_eq(get_wait_timeout(25), 0);
    cr_expect_eq(port_waits, 1);
    cr_expect_eq(port_waited[0], 25);
    cr_expect_eq(got.id, 77);
    cr_expect_eq(got.size, ROOM);
}

Test(event_logger_wait, does_not_wait_with_a_timeout_of_0)
{
    cr_expect_eq(get_wait_timeout(0), 0);
    cr_expect_eq(port_waits, 0);
}

static void event_in_time(uint32_t ticks)
{
    port_ticks += ticks - 1;
    put(50, 2);
}

Test(event_logger_wait, returns_an_event_that_comes_in_time)
{
    port_on_wait = event_in_time;
    cr_expect_eq(get_wait_timeout(25), 2);
    cr_expect_eq(got.id, 50);
    cr_expect_eq(port_waits, 1);
}

static void event_at_the_end(uint32_t ticks)
{
    port_ticks += ticks;
    put(50, 2);
}

Test(event_logger_wait, returns_an_event_that_comes_at_the_timeout)
{
    port_on_wait = event_at_the_end;
    cr_expect_eq(get_wait_timeout(25), 2);
}

static void event_and_time_after_the_look(enum port_step step, const volatile void *place)
{
    (void)place;
    if (step == PORT_UNLOCKED) {
        port_on_step = NULL;
        port_ticks += 25;
        put(50, 2);
    }
}

static void wait_ends_at_once(uint32_t ticks)
{
    (void)ticks;
}

Test(event_logger_wait, returns_an_event_that_comes_after_the_last_check_and_before_the_timeout)
{
    port_on_step = event_and_time_after_the_look;
    port_on_wait = wait_ends_at_once; /* the signal has already been given */
    cr_expect_eq(get_wait_timeout(25), 2);
}

static void four_ticks_pass(uint32_t ticks)
{
    port_ticks += ticks < 4 ? ticks : 4;
}

Test(event_logger_wait, waits_no_longer_in_total_when_waits_end_early)
{
    port_ticks = 0xFFFFFFFBu; /* the count of ticks wraps during the wait */
    port_on_wait = four_ticks_pass;
    cr_expect_eq(get_wait_timeout(10), 0);
    cr_expect_eq(port_waits, 3);
    cr_expect_eq(port_waited[0], 10);
    cr_expect_eq(port_waited[1], 6);
    cr_expect_eq(port_waited[2], 2);
    cr_expect_eq(port_ticks, 5);
}

Test(event_logger_wait, can_wait_almost_forever)
{
    port_ticks = 5;
    port_on_wait = time_passes;
    cr_expect_eq(get_wait_timeout(0xFFFFFFFEu), 0);
    cr_expect_eq(port_waits, 1);
}

static void other_collector_is_faster(uint32_t ticks)
{
    put(50, 1);
    cr_assert_eq(sys_k_event_logger_get(&got.id, &got.dropped, got.data, &got.size), 1);
    got.id = 0;
    port_ticks += ticks;
}

Test(event_logger_wait, keeps_waiting_when_another_collector_was_faster)
{
    port_on_wait = other_collector_is_faster;
    cr_expect_eq(get_wait_timeout(9), 0);
    cr_expect_eq(got.id, 0);
}

/* --------------------------------------------------------------------------------------------- signals */

Test(event_logger_wait, signals_each_event_stored_and_no_event_dropped)
{
    put(50, 3);
    put(50, 3);
    cr_expect_eq(port_signals, 2);
    sys_k_event_logger_put_timed(50);
    cr_expect_eq(port_signals, 3);
    while (sys_k_event_logger.ring_buf.dropped_put_count == 0) {
        put(50, 3);
    }
    unsigned before = port_signals;
    put(50, 3);
    sys_k_event_logger_put(50, NULL, 0);
    cr_expect_eq(port_signals, before);
    cr_expect_eq(port_signals_in_lock, 0);
    cr_expect_eq(port_signals_switch, 0);
}

Test(event_logger_wait, gives_the_signal_back_for_an_event_that_stays)
{
    put(50, 5);
    port_signals = 0;
    cr_expect_eq(get_wait(), -EMSGSIZE);
    cr_expect_eq(port_signals, 1);
    cr_expect_eq(port_signals_in_lock, 0);
}

Test(event_logger_wait, counts_the_events_in_the_ring)
{
    put(50, 1);
    put(50, 2);
    cr_expect_eq(sys_k_event_logger.sync_sema.count, 2);
    cr_expect_eq(get_wait(), 1);
    cr_expect_eq(sys_k_event_logger.sync_sema.count, 1);
    cr_expect_eq(get_wait(), 2);
    cr_expect_eq(get_wait_timeout(0), 0);
    cr_expect_eq(sys_k_event_logger.sync_sema.count, 0);
}
