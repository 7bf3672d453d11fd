/* SPDX-License-Identifier: MIT */
/* The poller's pace: how often it polls, how much it reads at once, and what it reports about its pace. */
#include <criterion/criterion.h>

#include "ring/txtb.h"
#include "stream/fixtures/poller_fixture.h"

Test(poller_pace, slows_down_while_nothing_happens_up_to_a_limit)
{
    uint64_t before = 0;

    open_poller();
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(step(), TXTAP_OK);
        cr_assert_geq(poller_delay_us(&fixture.poller), before);
        before = poller_delay_us(&fixture.poller);
    }
    cr_assert_eq(before, txtb_ring_of(&fixture.poller).entries * 60 < 40000 ? txtb_ring_of(&fixture.poller).entries * 60
                                                                            : 40000);
    close_poller();
}

Test(poller_pace, starts_at_once)
{
    open_poller();
    cr_assert_eq(poller_delay_us(&fixture.poller), 0);
    close_poller();
}

Test(poller_pace, polls_at_once_when_something_appears_in_an_idle_ring)
{
    open_poller();
    steps(50);
    write_events(1);
    cr_assert_eq(step(), TXTAP_OK);
    cr_assert_eq(poller_delay_us(&fixture.poller), 0);
    cr_assert_eq(step(), TXTAP_OK);
    cr_assert_eq(fixture.taken_count, 1);
    cr_assert_gt(poller_delay_us(&fixture.poller), 0);
    cr_assert_leq(poller_delay_us(&fixture.poller), 20000);
    close_poller();
}

Test(poller_pace, polls_at_once_while_much_is_unread)
{
    open_poller();
    write_events(10);
    steps(2);
    fixture.write_during_reads = ENTRIES / 4;
    steps(2);
    for (int i = 0; i < 50; i++) {
        cr_assert_eq(step(), TXTAP_OK);
        cr_assert_eq(poller_delay_us(&fixture.poller), 0);
        fixture.taken_count = 0;
    }
    close_poller();
}

/* At a steady rate, the poller must poll before the target has filled a quarter of the ring. */
Test(poller_pace, polls_as_often_as_the_event_rate_needs)
{
    open_poller();
    for (int i = 0; i < 400; i++) {
        uint64_t delay;

        cr_assert_eq(poller_step(&fixture.poller, &fixture.error), TXTAP_OK);
        delay = poller_delay_us(&fixture.poller);
        cr_assert_leq(delay, 40000);
        fixture.now_us += delay;
        write_events((unsigned)((delay + 200) / 250)); /* 4,000 events per second fill a quarter of the ring in 6 ms */
        fixture.taken_count = 0;
        if (i > 300) {
            cr_assert_leq(delay, 7000);
            cr_assert_eq(fixture.lost, 0);
        }
    }
    close_poller();
}

Test(poller_pace, reads_more_at_once_from_a_fast_source_and_less_from_a_slow_one)
{
    set_up();
    txtap_trace_disable();
    enable(0, 120);
    write_events(119);
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    txtap_ring_limit(&txtb_reader_of(&fixture.poller)->ring, 64);
    cr_assert_eq(poller_step(&fixture.poller, &fixture.error), TXTAP_OK);
    cr_assert_eq(txtb_ring_of(&fixture.poller).buffer_entries, txtb_reader_of(&fixture.poller)->entries_capacity);
    close_poller();

    set_up();
    txtap_trace_disable();
    enable(0, 120);
    write_events(119);
    fixture.read_us = 200000;
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    txtb_reader_of(&fixture.poller)->entries_capacity = TXTAP_RING_BUFFER_MIN;
    txtap_ring_limit(&txtb_reader_of(&fixture.poller)->ring, TXTAP_RING_BUFFER_MIN);
    steps(5);
    cr_assert_eq(txtb_ring_of(&fixture.poller).buffer_entries, TXTAP_RING_BUFFER_MIN,
                 "smaller than the ring reader allows");
    close_poller();
}

Test(poller_pace, counts_its_reads)
{
    open_poller();
    cr_assert_eq(fixture.poller.stats.bytes_read, OBJECTS * OBJECT_BYTES);
    cr_assert_eq(fixture.poller.stats.polls, 0);
    steps(10);
    cr_assert_eq(fixture.poller.stats.polls, 10);
    fixture.poller.stats.unread_max = 0;
    write_events(30);
    steps(3);
    cr_assert_eq(fixture.poller.stats.unread_max, 30);
    cr_assert_eq(fixture.poller.stats.events, 30);
    close_poller();
}

/* The kernel never writes the event's last field, so the poller waits for it until the time limit. */
Test(poller_pace, a_drain_pauses_while_it_only_waits)
{
    uint64_t begun_us;

    open_poller();
    fixture.read_us = 50;
    write_events(40);
    txtap_trace_event_insert(TXTAP_TRACE_EVENT_THREAD_RESUME, 0, 0, 0, 0, TXTAP_TRACE_CLASS_INTERNAL);
    begun_us = fixture.now_us;
    fixture.reads = 0;
    cr_assert_eq(poller_drain(&fixture.poller, 1000000, &fixture.error), TXTAP_OK);
    cr_assert_eq(fixture.taken_count, 41);
    cr_assert_leq(fixture.now_us - begun_us, TXTAP_RING_PATIENCE_US + 10000);
    cr_assert_leq(fixture.reads, TXTAP_RING_PATIENCE_US / 1000 + 10, "%u exchanges", fixture.reads);
    close_poller();
}

Test(poller_pace, a_drain_does_not_pause_while_it_reads)
{
    open_poller();
    write_events(10);
    steps(2);
    write_events(ENTRIES - 1);
    fixture.write_during_reads = 20;
    fixture.paused_us = 0;
    cr_assert_eq(poller_drain(&fixture.poller, 1000000, &fixture.error), TXTAP_OK);
    cr_assert_leq(fixture.paused_us, 1000);
    close_poller();
}
