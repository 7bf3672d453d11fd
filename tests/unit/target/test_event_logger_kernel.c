/* SPDX-License-Identifier: MIT */
/* Which kernel events the event logger records: it depends on the mask, the time source and the collector. */
#include "kernel_event_logger.h"
#include "target/event_logger_port.h"

#include <criterion/criterion.h>
#include <limits.h>

/* Ids of the test's threads: the low 32 bits of their addresses, which differ. */
static uint32_t threads[3];

static uint32_t thread_word(unsigned i)
{
    return (uint32_t)(uintptr_t)&threads[i];
}

static void setup(void)
{
    sys_k_event_logger_init();
    port_stamp = 1000;
    port_stamp_step = 10;
    port_thread = &threads[0];
}

static void setup_recording(void)
{
    setup();
    sys_k_event_logger_set_mask(-1);
}

TestSuite(event_logger_mask, .init = setup);
TestSuite(event_logger_kernel, .init = setup_recording);

/* ----------------------------------------------------------------------------------------------- mask */

static void all_kernel_events(void)
{
    _sys_k_event_logger_context_switch();
    _sys_k_event_logger_enter_sleep();
    _sys_k_event_logger_interrupt();
    _sys_k_event_logger_exit_sleep();
}

Test(event_logger_mask, records_nothing_at_first)
{
    cr_expect_eq(sys_k_event_logger_get_mask(), 0);
    for (int type = 1; type <= 32; type++) {
        cr_expect_eq(sys_k_must_log_event(type), 0);
    }
    all_kernel_events();
    cr_expect_eq(get_event(4), 0);
    cr_expect_eq(port_stamp, 1000, "not even the time is taken");
}

Test(event_logger_mask, has_a_bit_for_each_type_from_1_to_32)
{
    for (int bit = 0; bit < 32; bit++) {
        int mask = (int)(1u << bit);
        sys_k_event_logger_set_mask(mask);
        cr_assert_eq(sys_k_event_logger_get_mask(), mask);
        cr_assert_eq(_sys_k_event_logger_mask, mask);
        for (int type = 1; type <= 32; type++) {
            cr_assert_eq(sys_k_must_log_event(type), type == bit + 1);
        }
    }
}

Test(event_logger_mask, has_no_bit_for_other_types)
{
    static const int others[] = {0, 33, 34, 64, 65, 65535, -1, -31, -32, INT_MIN, INT_MAX};
    sys_k_event_logger_set_mask(-1);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        cr_expect_eq(sys_k_must_log_event(others[i]), 0, "type %d", others[i]);
    }
}

Test(event_logger_mask, does_not_affect_put)
{
    sys_k_event_logger_put(9, got.data, 1);
    sys_k_event_logger_put_timed(33);
    cr_expect_eq(get_event(4), 1);
    cr_expect_eq(get_event(4), 1);
    cr_expect_eq(got.id, 33);
}

Test(event_logger_mask, selects_kernel_events)
{
    static const uint16_t ids[] = {KERNEL_EVENT_LOGGER_CONTEXT_SWITCH_EVENT_ID, KERNEL_EVENT_LOGGER_INTERRUPT_EVENT_ID,
                                   KERNEL_EVENT_LOGGER_SLEEP_EVENT_ID};
    for (size_t i = 0; i < 3; i++) {
        sys_k_event_logger_set_mask(1 << (ids[i] - 1));
        all_kernel_events();
        cr_expect_gt(get_event(4), 0);
        cr_expect_eq(got.id, ids[i]);
        cr_expect_eq(get_event(4), 0);
    }
}

Test(event_logger_mask, survives_a_new_start)
{
    sys_k_event_logger_set_mask(5);
    sys_k_event_logger_init();
    cr_expect_eq(sys_k_event_logger_get_mask(), 5);
}

/* --------------------------------------------------------------------------------- the kernel's events */

Test(event_logger_kernel, records_a_context_switch)
{
    port_thread = &threads[1];
    _sys_k_event_logger_context_switch();
    cr_expect_eq(get_event(4), 2);
    cr_expect_eq(got.id, 1);
    cr_expect_eq(got.data[0], 1000);
    cr_expect_eq(got.data[1], thread_word(1));
    cr_expect_eq(port_signals_switch, 1, "signalled so that it does not switch at once");
    cr_expect_eq(port_signals, 0);
}

Test(event_logger_kernel, records_an_interrupt)
{
    port_interrupt = 22;
    _sys_k_event_logger_interrupt();
    cr_expect_eq(get_event(4), 2);
    cr_expect_eq(got.id, 2);
    cr_expect_eq(got.data[0], 1000);
    cr_expect_eq(got.data[1], 22);
    cr_expect_eq(port_signals, 1);
}

Test(event_logger_kernel, records_sleep_as_its_time_the_waking_time_and_the_interrupt)
{
    port_stamp = 0; /* 0 is a valid time */
    _sys_k_event_logger_enter_sleep();
    cr_expect_eq(_sys_k_event_logger_sleep_start_time, 0);
    cr_expect_eq(get_event(4), 0, "only when it ends");
    port_stamp = 500;
    port_interrupt = 15;
    _sys_k_event_logger_interrupt();
    _sys_k_event_logger_exit_sleep();
    cr_expect_eq(get_event(4), 2);
    cr_expect_eq(got.id, 2, "the interrupt comes first");
    cr_expect_eq(get_event(4), 3);
    cr_expect_eq(got.id, 3);
    cr_expect_eq(got.data[0], 0);
    cr_expect_eq(got.data[1], 510);
    cr_expect_eq(got.data[2], 15);
    cr_expect_eq(port_signals, 2);
}

Test(event_logger_kernel, records_a_sleep_once)
{
    _sys_k_event_logger_exit_sleep();
    cr_expect_eq(get_event(4), 0, "no sleep so far");
    _sys_k_event_logger_enter_sleep();
    _sys_k_event_logger_exit_sleep();
    cr_expect_eq(get_event(4), 3);
    _sys_k_event_logger_exit_sleep();
    cr_expect_eq(get_event(4), 0, "a later interrupt does not end another sleep");
}

static void nested_interrupt_wakes_too(void)
{
    port_on_lock = NULL;
    _sys_k_event_logger_exit_sleep();
}

Test(event_logger_kernel, records_a_sleep_once_when_interrupts_nest)
{
    _sys_k_event_logger_enter_sleep();
    port_on_lock = nested_interrupt_wakes_too;
    _sys_k_event_logger_exit_sleep();
    cr_expect_eq(get_event(4), 3);
    cr_expect_eq(get_event(4), 0);
}

static void nested_interrupt_at_the_unlock(enum port_step step, const volatile void *place)
{
    (void)place;
    if (step == PORT_UNLOCKED) {
        port_on_step = NULL;
        _sys_k_event_logger_exit_sleep();
    }
}

Test(event_logger_kernel, records_a_sleep_once_when_an_interrupt_nests_later)
{
    _sys_k_event_logger_enter_sleep();
    port_on_step = nested_interrupt_at_the_unlock;
    _sys_k_event_logger_exit_sleep();
    cr_expect_eq(get_event(4), 3);
    cr_expect_eq(get_event(4), 0);
}

Test(event_logger_kernel, forgets_a_sleep_that_ended_while_not_recorded)
{
    _sys_k_event_logger_enter_sleep();
    sys_k_event_logger_set_mask(0);
    _sys_k_event_logger_exit_sleep();
    sys_k_event_logger_set_mask(-1);
    _sys_k_event_logger_exit_sleep();
    cr_expect_eq(get_event(4), 0);
    sys_k_event_logger_set_mask(0);
    _sys_k_event_logger_enter_sleep();
    sys_k_event_logger_set_mask(-1);
    _sys_k_event_logger_exit_sleep();
    cr_expect_eq(get_event(4), 0, "when it began is not known");
}

Test(event_logger_kernel, drops_and_counts_like_any_event)
{
    while (sys_k_event_logger.ring_buf.dropped_put_count == 0) {
        _sys_k_event_logger_interrupt();
    }
    port_signals = 0;
    _sys_k_event_logger_context_switch();
    _sys_k_event_logger_enter_sleep();
    _sys_k_event_logger_exit_sleep();
    cr_expect_eq(sys_k_event_logger.ring_buf.dropped_put_count, 3);
    cr_expect_eq(port_signals + port_signals_switch, 0);
}

/* ------------------------------------------------------------------------------------------- collector */

Test(event_logger_kernel, leaves_out_the_collectors_own_switches_and_nothing_else)
{
    port_thread = &threads[2];
    sys_k_event_logger_register_as_collector();
    cr_expect(_collector_coop_thread == &threads[2]);
    _sys_k_event_logger_context_switch();
    cr_expect_eq(get_event(4), 0);
    cr_expect_eq(sys_k_event_logger.ring_buf.dropped_put_count, 0, "ignored is not dropped");

    _sys_k_event_logger_interrupt();
    sys_k_event_logger_put_timed(9);
    port_thread = &threads[1];
    _sys_k_event_logger_context_switch();
    cr_expect_eq(get_event(4), 2);
    cr_expect_eq(got.id, 2);
    cr_expect_eq(get_event(4), 1);
    cr_expect_eq(got.id, 9);
    cr_expect_eq(get_event(4), 2);
    cr_expect_eq(got.data[1], thread_word(1));
}

Test(event_logger_kernel, knows_only_the_last_collector)
{
    port_thread = &threads[1];
    sys_k_event_logger_register_as_collector();
    port_thread = &threads[2];
    sys_k_event_logger_register_as_collector();
    _sys_k_event_logger_context_switch();
    cr_expect_eq(get_event(4), 0);
    port_thread = &threads[1];
    _sys_k_event_logger_context_switch();
    cr_expect_eq(get_event(4), 2);
}

/* ----------------------------------------------------------------------------------------- time stamps */

static uint32_t own_time(void)
{
    static uint32_t time = 70000;
    uint32_t depth = port_lock();
    port_unlock(depth);
    cr_assert_neq(depth, 0, "it is called in the lock");
    return ++time;
}

Test(event_logger_kernel, takes_time_stamps_from_the_chosen_source)
{
    sys_k_event_logger_put_timed(9);
    cr_expect_eq(get_event(4), 1);
    cr_expect_eq(got.data[0], 1000);

    sys_k_event_logger_set_timer(own_time);
    cr_expect(_sys_k_get_time == own_time);
    sys_k_event_logger_put_timed(9);
    _sys_k_event_logger_context_switch();
    _sys_k_event_logger_interrupt();
    for (uint32_t time = 70001; time <= 70003; time++) {
        cr_expect_gt(get_event(4), 0);
        cr_expect_eq(got.data[0], time);
    }
    cr_expect_eq(port_stamp, 1010, "the port's clock is not read");

    sys_k_event_logger_set_timer(NULL);
    sys_k_event_logger_put_timed(9);
    cr_expect_eq(get_event(4), 1);
    cr_expect_eq(got.data[0], 1010);
}

static uint32_t sleep_time(void)
{
    static uint32_t time = 300;
    return time += 7;
}

Test(event_logger_kernel, measures_sleep_with_the_same_clock)
{
    sys_k_event_logger_set_timer(sleep_time);
    _sys_k_event_logger_enter_sleep();
    _sys_k_event_logger_exit_sleep();
    cr_expect_eq(get_event(4), 3);
    cr_expect_eq(got.data[0], 307);
    cr_expect_eq(got.data[1], 314);
}

static void earlier_event_of_an_interrupt(void)
{
    port_on_lock = NULL;
    _sys_k_event_logger_interrupt();
}

Test(event_logger_kernel, keeps_the_ring_in_the_order_of_its_times)
{
    port_on_lock = earlier_event_of_an_interrupt;
    sys_k_event_logger_put_timed(9);
    cr_expect_eq(get_event(4), 2);
    uint32_t first = got.data[0];
    cr_expect_eq(get_event(4), 1);
    cr_expect_gt(got.data[0], first);
}
