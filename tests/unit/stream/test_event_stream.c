/* SPDX-License-Identifier: MIT */
/* A stream whose connection is never lost: resets, a stopped trace, a halted core. */
#include <criterion/criterion.h>
#include <string.h>

#include "stream/fixtures/event_stream_fixture.h"

Test(event_stream, a_reset_is_a_mark_and_numbers_continue)
{
    begin(true);
    run_well(200000);
    reset_target(ENTRIES);
    run_well(300000);
    write_events(20);
    run_well(300000);
    end();
    cr_assert_str_eq(fixture.marks, "reset ");
    cr_assert_eq(fixture.events, 30);
    cr_assert_eq(fixture.next_seq, 30);
    cr_assert_eq(fixture.stream.poller.stats.resets, 1);
    cr_assert(!fixture.stream.poller.stats.lost_exact, "what was written before the reset is not known");
}

Test(event_stream, a_reset_right_before_the_end_is_no_failure)
{
    begin(true);
    run_well(200000);
    reset_target(ENTRIES);
    end();
    cr_assert_str_eq(fixture.marks, "reset ");
    cr_assert_eq(fixture.events, 10);
    cr_assert_eq(fixture.stream.poller.stats.resets, 1);
    cr_assert(!fixture.stream.poller.stats.lost_exact, "what was written before the reset is not known");
}

Test(event_stream, a_trace_that_is_gone_for_a_moment_at_the_end_is_reported)
{
    begin(true);
    run_well(200000);
    txtap_trace_disable();
    memset(ram, 0, sizeof ram);
    run_well(100000);
    end();
    cr_assert_str_eq(fixture.marks, "detached ");
}

Test(event_stream, a_ring_of_another_size_is_a_move)
{
    begin(true);
    run_well(200000);
    reset_target(ENTRIES / 2);
    write_events(5);
    run_well(300000);
    end();
    cr_assert_str_eq(fixture.marks, "moved ");
    cr_assert_eq(fixture.events, 15);
}

Test(event_stream, events_overwritten_before_the_new_trace_was_found_are_a_gap)
{
    begin(true);
    for (int i = 0; i < 30; i++) {
        write_events(ENTRIES / 2);
        run_well(20000);
    }
    cr_assert_eq(fixture.lost, 0);
    reset_target(ENTRIES);
    write_events(10 * ENTRIES);
    run_well(300000);
    end();
    cr_assert_str_eq(fixture.marks, "reset ");
    cr_assert_eq(fixture.events + fixture.lost, fixture.written);
    cr_assert_gt(fixture.lost, 8 * ENTRIES);
}

Test(event_stream, a_target_that_boots_slowly_is_detached_then_attached_and_reset)
{
    begin(true);
    run_well(200000);
    txtap_trace_disable();
    memset(ram, 0, sizeof ram);
    run_well(2000000);
    cr_assert_not_null(strstr(fixture.marks, "detached "), "%s", fixture.marks);
    enable_trace(ENTRIES);
    write_events(3);
    run_well(1000000);
    end();
    cr_assert_not_null(strstr(fixture.marks, "detached attached reset "), "%s", fixture.marks);
    cr_assert_eq(fixture.events, 13);
}

Test(event_stream, stopping_and_enabling_the_trace_are_reported)
{
    begin(true);
    run_well(600000);
    fixture.recording = false;
    run_well(1200000);
    fixture.recording = true;
    run_well(1200000);
    end();
    cr_assert_str_eq(fixture.marks, "disabled enabled ");
}

Test(event_stream, a_lockup_is_a_fault_and_reported_once)
{
    begin(true);
    run_well(500000);
    write_events(5);
    fixture.core = CORE_LOCKED_UP;
    run_well(2200000);
    cr_assert_str_eq(fixture.marks, "fault ");
    cr_assert_eq(fixture.mark_seq, 15);
    run_well(5000000);
    cr_assert_str_eq(fixture.marks, "fault ");
    end();
}

Test(event_stream, a_halt_is_reported_once_and_its_end_before_the_next_event)
{
    begin(true);
    run_well(500000);
    write_events(5);
    fixture.core = CORE_HALTED;
    run_well(2200000);
    cr_assert_str_eq(fixture.marks, "halted ");
    cr_assert_eq(fixture.mark_seq, 15);
    run_well(5000000);
    cr_assert_str_eq(fixture.marks, "halted ");
    fixture.core = CORE_RUNS;
    write_events(5);
    run_well(100000);
    cr_assert_str_eq(fixture.marks, "halted running ");
    cr_assert_eq(fixture.mark_seq, 15);
    end();
    cr_assert_eq(fixture.events, 20);
}

Test(event_stream, the_end_of_a_halt_is_reported_even_without_events)
{
    begin(true);
    fixture.core = CORE_IN_RESET;
    run_well(100000);
    cr_assert_str_eq(fixture.marks, "halted ", "it is known at once");
    cr_assert_eq(fixture.mark_seq, 10, "after what was written before");
    fixture.core = CORE_UNKNOWN;
    run_well(2000000);
    cr_assert_str_eq(fixture.marks, "halted ");
    fixture.core = CORE_RUNS;
    run_well(1100000);
    cr_assert_str_eq(fixture.marks, "halted running ");
    end();
}

Test(event_stream, a_halt_ends_with_the_connection_and_is_reported_again_after_it)
{
    begin(true);
    fixture.core = CORE_HALTED;
    run_well(100000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 8;
    fixture.failure = ERROR_CLOSED;
    run_well(5000000);
    end();
    cr_assert_str_eq(fixture.marks, "halted detached attached halted ");
}

Test(event_stream, the_core_state_is_read_once_a_second_and_only_in_silence)
{
    unsigned before;

    begin(true);
    for (int i = 0; i < 300; i++) {
        write_events(1);
        run_well(10000);
    }
    cr_assert_eq(fixture.core_asked, 1, "at the start");
    run_well(1500000);
    before = fixture.core_asked;
    run_well(10000000);
    cr_assert_leq(fixture.core_asked - before, 10);
    cr_assert_geq(fixture.core_asked - before, 9);
    end();
}

Test(event_stream, a_reset_is_one_mark_although_the_trace_is_off_for_a_moment)
{
    begin(true);
    run_well(3000000);
    fixture.recording = false; /* the firmware stops; its memory stays unchanged */
    fixture.start_us = fixture.now_us;
    while (fixture.stream.state == STREAM_READING)
        run_well(1000);
    run_well(100000);
    reset_target(ENTRIES);
    write_events(3);
    run_well(2000000);
    end();
    cr_assert_str_eq(fixture.marks, "reset ");
}

Test(event_stream, a_stopped_trace_is_reported_after_its_last_event)
{
    begin(true);
    run_well(300000);
    write_events(30);
    fixture.stopped = true;
    fixture.now_us += 1000000;
    run_well(500000);
    cr_assert_str_eq(fixture.marks, "disabled ");
    cr_assert_eq(fixture.disabled_at, fixture.written);
    end();
}

Test(event_stream, a_stopped_trace_is_reported_at_the_end_of_the_stream)
{
    begin(true);
    run_well(300000);
    write_events(ENTRIES - 2); /* one exchange cannot read so many events */
    fixture.stopped = true;
    fixture.now_us += 1000000;
    run_well(1); /* one step, which checks the trace and reads a part of the events */
    cr_assert(fixture.stream.stopping);
    cr_assert_str_eq(fixture.marks, "");
    end();
    cr_assert_str_eq(fixture.marks, "disabled ");
    cr_assert_eq(fixture.disabled_at, fixture.written);
}

Test(event_stream, an_enabled_trace_is_reported_before_its_first_event)
{
    begin(true);
    run_well(300000);
    fixture.stopped = true;
    run_well(1500000);
    fixture.stopped = false;
    txtap_trace_disable();
    enable(OBJECTS, ENTRIES);
    point_at_trace(0);
    write_events(5);
    run_well(100000);
    write_events(5);
    run_well(1500000);
    end();
    cr_assert_str_eq(fixture.marks, "disabled enabled reset ");
    cr_assert_eq(fixture.next_number, fixture.written);
}
