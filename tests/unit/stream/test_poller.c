/* SPDX-License-Identifier: MIT */
/* Reads that fail at every place, sinks that stop, the end of a stream, and another trace after it. */
#include <criterion/criterion.h>
#include <string.h>

#include "ring/txtb.h"
#include "stream/fixtures/poller_fixture.h"
#include "error_line.h"

/* ---- failing reads ---- */

/* Makes a whole run: open, events, a new object, a gap, drain. Returns the first failure. */
static enum txtap_status live(void)
{
    enum txtap_status status;

    write_events(10);
    status = try_open(TXTAP_RING_FROM_OLDEST);
    if (status != TXTAP_OK)
        return status;
    for (int i = 0; i < 6 && status == TXTAP_OK; i++) {
        write_events(5);
        if (i == 2) {
            add(1, "mailbox");
            txtap_trace_event_insert(EVENT_QUEUE_CREATE, thing(1), 0, 0, 0, TXTAP_TRACE_CLASS_QUEUE);
        }
        if (i == 4)
            write_events(3 * ENTRIES);
        status = step();
    }
    if (status == TXTAP_OK)
        status = poller_drain(&fixture.poller, 200000, &fixture.error);
    close_poller();
    return status;
}

Test(poller, fails_cleanly_whichever_read_fails)
{
    unsigned reads;

    set_up();
    cr_assert_eq(live(), TXTAP_OK);
    reads = fixture.reads;
    cr_assert_gt(reads, 8);
    cr_assert_gt(fixture.lost, 0);
    cr_assert_eq(fixture.last_seq + 1, 10 + 6 * 5 + 1 + 3 * ENTRIES);
    for (unsigned n = 1; n <= reads; n++) {
        set_up();
        fixture.fail_at = n;
        cr_assert_eq(live(), ERROR_FAULT, "read %u of %u failed unnoticed", n, reads);
        cr_assert_str_eq(error_line(&fixture.error), fixture.failure_text);
        cr_assert_eq(fixture.reads, n, "it went on after the failure");
    }
}

Test(poller, passes_on_every_kind_of_failure)
{
    static const enum txtap_status kinds[] = {ERROR_UNREACHABLE, ERROR_PROTOCOL, ERROR_TIMEOUT,
                                              ERROR_CLOSED,      ERROR_TARGET,   TXTAP_ERROR_SYSTEM};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        open_poller();
        fixture.fail_at = fixture.reads + 1;
        fixture.failure = kinds[i];
        cr_assert_eq(step(), kinds[i]);
        close_poller();
    }
}

Test(poller, explains_the_status_if_the_source_has_no_text)
{
    for (int null = 0; null < 2; null++) {
        open_poller();
        fixture.fail_at = fixture.reads + 1;
        fixture.failure_text = null ? NULL : "";
        cr_assert_eq(step(), ERROR_FAULT);
        cr_assert_str_eq(error_line(&fixture.error), status_text(ERROR_FAULT));
        close_poller();
    }
}

Test(poller, delivers_everything_once_when_it_continues_after_a_failed_read)
{
    open_poller();
    for (unsigned i = 0; i < 20; i++) {
        write_events(7);
        fixture.fail_at = fixture.reads + 1 + i % 2;
        step();
        step();
    }
    steps(3);
    cr_assert_eq(fixture.taken_count, 140);
    cr_assert_eq(fixture.lost, 0);
    cr_assert_eq(fixture.poller.stats.events, 140);
    close_poller();
}

Test(poller, names_buffer_and_next_step_when_the_pointer_is_invalid)
{
    uint32_t nonsense = 0;

    open_poller();
    memcpy(ram + TXTB_HEADER_CURRENT, &nonsense, 4);
    cr_assert_eq(step(), TXTAP_ERROR_POINTER);
    cr_assert_not_null(strstr(error_line(&fixture.error), "0x20000000"));
    cr_assert_not_null(strstr(error_line(&fixture.error), "start txtap again"));
    close_poller();
}

Test(poller, reports_that_the_trace_was_enabled_again)
{
    open_poller();
    write_events(2 * ENTRIES + 1);
    steps(3);
    txtap_trace_disable();
    enable(OBJECTS, ENTRIES);
    cr_assert_eq(step(), TXTAP_ERROR_MOVED);
    cr_assert_not_null(strstr(error_line(&fixture.error), "set up again"));
    close_poller();
}

/*
 * The ring has only one slot, which is never complete while the target writes. So the reader can read no event and
 * detect no loss.
 */
Test(poller, refuses_a_ring_of_one_entry_unless_it_rests)
{
    set_up();
    txtap_trace_disable();
    enable(OBJECTS, 1);
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_ERROR_RING);
    cr_assert_not_null(strstr(error_line(&fixture.error), "one entry"));
    cr_assert_eq(try_open(TXTAP_RING_FROM_NOW), TXTAP_ERROR_RING);
    cr_assert_eq(try_open(TXTAP_RING_AT_REST), TXTAP_OK);
    close_poller();
}

/* ---- the end ---- */

Test(poller, stops_when_the_sink_has_enough)
{
    open_poller();
    write_events(50);
    fixture.enough_after = 7;
    fixture.enough = TXTAP_END;
    cr_assert_eq(steps_until_end(), TXTAP_END);
    cr_assert_eq(fixture.taken_count, 7);
    cr_assert_eq(fixture.poller.stats.events, 7);
    close_poller();
}

Test(poller, passes_on_the_sinks_failure)
{
    open_poller();
    write_events(50);
    fixture.enough_after = 7;
    fixture.enough = TXTAP_ERROR_SYSTEM;
    cr_assert_eq(steps_until_end(), TXTAP_ERROR_SYSTEM);
    cr_assert_eq(fixture.taken_count, 7);
    cr_assert_eq(fixture.poller.stats.events, 6, "the event that could not be taken was counted");
    close_poller();
}

Test(poller, stops_at_a_gap_when_the_sink_has_enough)
{
    open_poller();
    write_events(7);
    steps(2);
    write_events(5 * ENTRIES);
    fixture.enough_after = 7;
    fixture.enough = TXTAP_END;
    cr_assert_eq(steps_until_end(), TXTAP_END);
    cr_assert_eq(fixture.gaps, 1);
    cr_assert_eq(fixture.taken_count, 7);
    cr_assert_gt(fixture.lost, 0);
    cr_assert_eq(fixture.poller.stats.lost, fixture.lost);
    cr_assert_eq(fixture.poller.stats.gaps, 1);
    close_poller();
}

Test(poller, drains_all_events_written_before_the_end)
{
    open_poller();
    write_events(10);
    steps(2);
    write_events(40);
    txtap_trace_event_insert(TXTAP_TRACE_EVENT_THREAD_RESUME, 0, 0, 0, 0, TXTAP_TRACE_CLASS_INTERNAL); /* held back */
    cr_assert_eq(poller_drain(&fixture.poller, 200000, &fixture.error), TXTAP_OK);
    cr_assert_eq(fixture.taken_count, 51);
    cr_assert_eq(fixture.lost, 0);
    close_poller();
}

/* The target never pauses, so the call waits only for events that were written before the call. */
Test(poller, drains_a_target_that_keeps_writing)
{
    uint64_t written;

    open_poller();
    write_events(10);
    steps(2);
    fixture.write_during_reads = 20;
    write_events(40);
    written = 50;
    cr_assert_eq(poller_drain(&fixture.poller, 200000, &fixture.error), TXTAP_OK);
    cr_assert_geq(fixture.last_seq + 1, written);
    cr_assert_lt(fixture.reads, 50);
    close_poller();
}

Test(poller, drains_no_longer_than_allowed)
{
    uint64_t begin;

    open_poller();
    write_events(10);
    steps(2);
    fixture.write_during_reads = 5 * ENTRIES + 3; /* so many that no entry is still valid when the read ends */
    fixture.read_us = 30000;
    steps(2);
    begin = fixture.now_us;
    cr_assert_eq(poller_drain(&fixture.poller, 200000, &fixture.error), TXTAP_OK);
    cr_assert_leq(fixture.now_us - begin, 200000 + 2 * fixture.read_us);
    cr_assert_gt(fixture.lost, 0, "what was not read was not counted");
    close_poller();
}

/* Laps are not counted. The first exchange assumes a pointer one lap too low; the next exchange corrects this. */
Test(poller, drains_to_the_newest_event_after_an_unseen_lap)
{
    for (unsigned more = 1; more < ENTRIES; more += 7) {
        set_up();
        fixture.plain = true;
        cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
        write_events(10);
        steps(20);
        write_events(ENTRIES + more);
        cr_assert_eq(poller_drain(&fixture.poller, 200000, &fixture.error), TXTAP_OK);
        cr_expect_eq(fixture.last_seq + 1, 10 + ENTRIES + more, "%lu", fixture.last_seq);
        cr_expect_gt(fixture.taken_count, ENTRIES, "%u of the newest %u", fixture.taken_count - 10, ENTRIES);
        close_poller();
    }
}

Test(poller, does_not_drain_unreadable_entries)
{
    open_poller();
    write_events(10);
    steps(2);
    fixture.fail_at = fixture.reads + 1;
    cr_assert_eq(poller_drain(&fixture.poller, 200000, &fixture.error), ERROR_FAULT);
    cr_assert_eq(fixture.reads, fixture.fail_at);
    close_poller();
}

/* ---- another trace ---- */

static void start_again(uint32_t entries)
{
    txtap_trace_disable();
    enable(OBJECTS, entries);
    run_thread(0, 5);
}

static void restart_from_start(void)
{
    struct poller_place place = place_of_trace();

    cr_assert_eq(poller_finish(&fixture.poller, txtb_ring_of(&fixture.poller).head), TXTAP_OK);
    cr_assert_eq(poller_restart(&fixture.poller, &place, TXTAP_RING_FROM_START, &fixture.error), TXTAP_OK);
}

Test(poller, continues_counting_in_another_trace)
{
    unsigned taken;

    open_poller();
    write_events(30);
    steps(10);
    taken = fixture.taken_count;
    cr_assert_eq(poller_next_seq(&fixture.poller), fixture.last_seq + 1);
    start_again(ENTRIES);
    write_events(7);
    restart_from_start();
    steps(10);
    cr_assert_eq(fixture.taken_count, taken + 7, "%u", fixture.taken_count); /* take_entry() checks the numbers */
    cr_assert_eq(fixture.poller.stats.events, fixture.taken_count);
    cr_assert_eq(fixture.lost, 0);
    close_poller();
}

Test(poller, another_trace_is_read_from_its_first_event)
{
    unsigned taken;

    open_poller();
    write_events(30);
    steps(10);
    taken = fixture.taken_count;
    start_again(ENTRIES / 2);
    write_events(3 * ENTRIES);
    restart_from_start();
    write_events(5);
    steps(20);
    cr_assert_gt(fixture.lost, 0);
    cr_assert_eq(fixture.taken_count - taken + fixture.lost, 3 * ENTRIES + 5, "%u", fixture.taken_count);
    cr_assert(fixture.poller.stats.lost_exact);
    close_poller();
}

Test(poller, knows_which_events_are_older_than_itself)
{
    uint64_t there;

    set_up();
    write_events(20);
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    steps(10);
    there = poller_next_seq(&fixture.poller);
    cr_assert_geq(there, 20);
    write_events(5);
    steps(10);
    cr_assert_eq(poller_state(&fixture.poller)->seq_at_attach, there);
    cr_assert_eq(poller_next_seq(&fixture.poller), there + 5);
    close_poller();
}

Test(poller, another_trace_that_wrapped_uncounted_has_lost_at_least_its_pointers_count)
{
    struct poller_place place;
    unsigned taken;

    fixture.plain = true;
    open_poller();
    write_events(30);
    steps(10);
    taken = fixture.taken_count;
    start_again(ENTRIES);
    write_events(ENTRIES + 40);
    memset(ram + TXTB_HEADER_LAPS, 0, 2); /* clears the recorder's lap count, because ThreadX has none */
    place = place_of_trace();
    cr_assert_eq(poller_finish(&fixture.poller, 0), TXTAP_OK);
    cr_assert_eq(poller_restart(&fixture.poller, &place, TXTAP_RING_FROM_START, &fixture.error), TXTAP_OK);
    steps(20);
    cr_assert_eq(fixture.gaps, 1); /* take_entry() checks the numbers */
    cr_assert_eq(fixture.taken_count - taken + fixture.lost, ENTRIES + 40);
    cr_assert_eq(fixture.poller.stats.lost, fixture.lost);
    cr_assert_not(fixture.poller.stats.lost_exact);
    close_poller();
}

Test(poller, an_unknown_loss_is_reported_before_the_new_traces_held_entries)
{
    unsigned taken;

    open_poller();
    write_events(30);
    steps(10);
    taken = fixture.taken_count;
    start_again(ENTRIES);
    write_events(1);
    memcpy(ram + entry_at(OBJECTS, 0) + TXTB_ENTRY_ID, (uint8_t[]){1, 0, 0, 0}, 4); /* has a late word */
    restart_from_start();
    poller_mark_all_inexact(&fixture.poller);
    steps(1);
    cr_assert_eq(fixture.taken_count, taken, "it is held back");
    cr_assert_eq(fixture.gaps, 0);
    cr_assert_eq(poller_finish(&fixture.poller, poller_head(&fixture.poller)), TXTAP_OK);
    cr_assert_eq(fixture.taken_count, taken + 1);
    cr_assert_eq(fixture.gaps, 1);
    cr_assert_not(fixture.poller.stats.lost_exact);
    close_poller();
}

Test(poller, another_trace_without_events_is_followed_from_then_on)
{
    unsigned taken;

    open_poller();
    write_events(30);
    steps(10);
    taken = fixture.taken_count;
    start_again(ENTRIES);
    restart_from_start();
    steps(5);
    cr_assert_eq(fixture.taken_count, taken);
    write_events(3);
    steps(10);
    cr_assert_eq(fixture.taken_count, taken + 3);
    close_poller();
}
