/* SPDX-License-Identifier: MIT */
/* How often the session asks, how much at once, and what it says of it. */
#include <criterion/criterion.h>

#include "ring/txtb.h"
#include "stream/session_fixture.h"

Test(session_pace, slows_down_while_nothing_happens_but_not_for_ever)
{
    uint64_t before = 0;

    open_session();
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(step(), TXTAP_OK);
        cr_assert_geq(session_delay_us(&fixture.session), before);
        before = session_delay_us(&fixture.session);
    }
    cr_assert_eq(before, txtb_reader_of(&fixture.session)->ring.entries * 60 < 40000
                             ? txtb_reader_of(&fixture.session)->ring.entries * 60
                             : 40000);
    close_session();
}

Test(session_pace, starts_at_once)
{
    open_session();
    cr_assert_eq(session_delay_us(&fixture.session), 0);
    close_session();
}

Test(session_pace, hurries_when_something_appears_in_an_idle_ring)
{
    open_session();
    steps(50);
    write_events(1);
    cr_assert_eq(step(), TXTAP_OK);
    cr_assert_eq(session_delay_us(&fixture.session), 0);
    cr_assert_eq(step(), TXTAP_OK);
    cr_assert_eq(fixture.taken_count, 1);
    cr_assert_gt(session_delay_us(&fixture.session), 0);
    cr_assert_leq(session_delay_us(&fixture.session), 20000);
    close_session();
}

Test(session_pace, hurries_while_much_is_unread)
{
    open_session();
    write_events(10);
    steps(2);
    fixture.write_during_reads = ENTRIES / 4;
    steps(2);
    for (int i = 0; i < 50; i++) {
        cr_assert_eq(step(), TXTAP_OK);
        cr_assert_eq(session_delay_us(&fixture.session), 0);
        fixture.taken_count = 0;
    }
    close_session();
}

/* At a steady rate it polls before a quarter of the ring has filled. */
Test(session_pace, polls_as_often_as_the_event_rate_needs)
{
    open_session();
    for (int i = 0; i < 400; i++) {
        uint64_t delay;

        cr_assert_eq(session_step(&fixture.session, &fixture.error), TXTAP_OK);
        delay = session_delay_us(&fixture.session);
        cr_assert_leq(delay, 40000);
        fixture.now_us += delay;
        write_events((unsigned)((delay + 200) / 250)); /* 4,000 a second: a quarter of the ring in 6 ms */
        fixture.taken_count = 0;
        if (i > 300) {
            cr_assert_leq(delay, 7000);
            cr_assert_eq(fixture.lost, 0);
        }
    }
    close_session();
}

Test(session_pace, reads_more_at_once_from_a_fast_source_and_less_from_a_slow_one)
{
    set_up();
    txtap_trace_disable();
    enable(0, 120);
    write_events(119);
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    txtb_reader_of(&fixture.session)->ring.buffer_entries = 64;
    cr_assert_eq(session_step(&fixture.session, &fixture.error), TXTAP_OK);
    cr_assert_eq(txtb_reader_of(&fixture.session)->ring.buffer_entries,
                 txtb_reader_of(&fixture.session)->entries_capacity);
    close_session();

    set_up();
    txtap_trace_disable();
    enable(0, 120);
    write_events(119);
    fixture.read_us = 200000;
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    txtb_reader_of(&fixture.session)->entries_capacity = txtb_reader_of(&fixture.session)->ring.buffer_entries =
        TXTAP_RING_BUFFER_MIN;
    steps(5);
    cr_assert_eq(txtb_reader_of(&fixture.session)->ring.buffer_entries, TXTAP_RING_BUFFER_MIN,
                 "smaller than the ring reader allows");
    close_session();
}

Test(session_pace, counts_what_it_read)
{
    open_session();
    cr_assert_eq(fixture.session.stats.bytes_read, OBJECTS * OBJECT_BYTES);
    cr_assert_eq(fixture.session.stats.polls, 0);
    steps(10);
    cr_assert_eq(fixture.session.stats.polls, 10);
    fixture.session.stats.unread_max = 0;
    write_events(30);
    steps(3);
    cr_assert_eq(fixture.session.stats.unread_max, 30);
    cr_assert_eq(fixture.session.stats.events, 30);
    close_session();
}
