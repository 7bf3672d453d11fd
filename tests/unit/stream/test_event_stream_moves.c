/* SPDX-License-Identifier: MIT */
/* A trace that is enabled in another buffer, and new firmware that records at another address. */
#include <criterion/criterion.h>
#include <string.h>

#include "stream/fixtures/event_stream_fixture.h"

Test(event_stream_moves, a_trace_that_is_enabled_in_another_buffer_is_read_there_from_its_first_event_on)
{
    begin(true);
    run_well(200000);
    enable_trace_elsewhere(16);
    write_events(40);
    run_well(1500000);
    write_events(5);
    run_well(100000);
    end();
    cr_assert_str_eq(fixture.marks, "moved ");
    cr_assert_eq(fixture.events + fixture.lost, fixture.written);
    cr_assert_eq(fixture.lost, 40 - 15);
    cr_assert_str_eq(fixture.stream.why, "the firmware records into another buffer");
}

/*
 * Runs firmware that moves its trace often. take_entry() and take_gap() check that each event is delivered or in a gap.
 */
static void move_often(bool plain, unsigned moves, unsigned most_events, uint64_t most_us)
{
    begin(true);
    fixture.plain = plain;
    run_well(50000);
    for (unsigned i = 0; i < moves; i++) {
        for (unsigned part = 0; part < 4; part++) {
            run_well((i * 7919 + part * 104729) % most_us);
            write_events((i * 31 + part * 17) % (most_events + 1));
        }
        move_trace();
    }
    run_well(1500000);
    write_events(3);
    run_well(200000);
    end();
    cr_assert_eq(fixture.next_number, fixture.written, "the last one was delivered");
    cr_assert_eq(fixture.stream.poller.stats.resets, moves);
    cr_assert_leq(fixture.events + fixture.lost, fixture.written, "'at least' is never more than the truth");
}

Test(event_stream_moves, a_slow_firmware_that_moves_its_trace_loses_nothing)
{
    for (int plain = 0; plain < 2; plain++) {
        move_often(plain, 20, 4, 100000);
        cr_assert_eq(fixture.events, fixture.written, "%lu of %u", (unsigned long)fixture.events, fixture.written);
        cr_assert_eq(fixture.gaps, 0);
    }
}

Test(event_stream_moves, events_overwritten_before_a_moved_trace_was_found_are_a_gap)
{
    for (int plain = 0; plain < 2; plain++) {
        for (unsigned most = 5; most < 5 * ENTRIES; most += 13) {
            move_often(plain, 20, most, 100000);
            if (!plain)
                cr_assert_eq(fixture.events + fixture.lost, fixture.written, "laps are counted");
        }
        cr_assert_gt(fixture.gaps, 0);
    }
}

Test(event_stream_moves, a_move_that_is_noticed_late_may_hide_another_move_and_is_a_gap)
{
    begin(true);
    run_well(200000);
    move_trace();
    write_events(5);
    fixture.now_us += 300000; /* the host stands still */
    write_events(5);
    memset(ram + sizeof(uint32_t), 0, 16); /* clears the header of the previous buffer */
    run_well(1500000);
    write_events(5);
    run_well(200000);
    end();
    cr_assert_str_eq(fixture.marks, "moved ");
    cr_assert_eq(fixture.events, 25);
    cr_assert_eq(fixture.gaps, 1);
    cr_assert_eq(fixture.lost, 0);
}

Test(event_stream_moves, a_trace_that_is_being_set_up_elsewhere_is_waited_for)
{
    begin(true);
    run_well(200000);
    enable_trace_elsewhere(16); /* the last step of the set-up is still missing */
    fixture.stopped = true;
    run_well(20000);
    cr_assert_null(strstr(fixture.marks, "moved"));
    fixture.stopped = false;
    write_events(3);
    run_well(100000);
    cr_assert_not_null(strstr(fixture.marks, "moved"));
    cr_assert_eq(fixture.next_number, fixture.written);
    end();
}

Test(event_stream_moves, a_trace_that_was_moved_and_stopped_is_still_read)
{
    begin(true);
    run_well(200000);
    enable_trace_elsewhere(16);
    write_events(3);
    fixture.stopped = true;
    run_well(1500000);
    cr_assert_str_eq(fixture.marks, "disabled moved ");
    cr_assert_eq(fixture.next_number, fixture.written);
    end();
}

/* Memory still has the old firmware's data: its buffer is valid, but no firmware writes to it. */
Test(event_stream_moves, firmware_that_records_elsewhere_is_found_once_the_old_buffer_is_silent)
{
    begin(true);
    fixture.counts_time = false;
    fixture.flashed = true;
    for (int i = 0; i < 300; i++) {
        write_events(1);
        run_well(10000);
    }
    cr_assert_str_eq(fixture.marks, "", "not while events come");
    fixture.start_us = fixture.now_us;
    run_well(3000000);
    write_events(5);
    run_well(100000);
    end();
    cr_assert_str_eq(fixture.marks, "moved ");
    cr_assert_eq(fixture.events, 315);
    cr_assert_not_null(strstr(fixture.stream.why, "flashed"));
}

Test(event_stream_moves, other_firmware_is_found_if_the_old_one_had_just_started)
{
    begin(true);
    run_well(100000);
    fixture.flashed = true;
    fixture.stale = 100; /* the uptime shows no progress since the only poll before the move */
    run_well(3000000);
    write_events(5);
    run_well(100000);
    end();
    cr_assert_str_eq(fixture.marks, "moved ");
    cr_assert_eq(fixture.events, 15);
}

Test(event_stream_moves, a_silent_target_stays_the_same_although_its_elf_file_changed)
{
    begin(true);
    fixture.flashed = true;
    run_well(5000000);
    write_events(5);
    run_well(100000);
    end();
    cr_assert_str_eq(fixture.marks, "");
    cr_assert_eq(fixture.events, 15);
}
