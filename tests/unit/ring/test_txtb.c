/* SPDX-License-Identifier: MIT */
/*
 * The ring reader, rule by rule: its start position, the delivered events, the cost of an exchange, refused
 * exchanges. Lost events are tested in test_txtb_loss.c, test_txtb_uncounted.c and test_txtb_overtaken.c, fields that
 * are written late in test_txtb_late.c.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ring/txtb_fixture.h"
#include "txtb_bytes.h"

static void expect(const char *what, const char *expected)
{
    cr_assert_str_eq(what, expected);
}

/* ---- start ---- */

Test(ring, starts_with_the_events_of_a_ring_that_never_wrapped)
{
    set_up(8, false);
    target_write(fixture_target, 3);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "0..2");
    expect(exchange(), "");
}

Test(ring, starts_with_all_but_the_slot_written_next)
{
    set_up(8, false);
    target_write(fixture_target, 21);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "14..20");
}

Test(ring, starts_with_an_empty_ring)
{
    set_up(8, false);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "");
    target_write(fixture_target, 2);
    expect(exchange_until_quiet(), "0..1");
}

Test(ring, numbers_events_from_zero_also_without_a_lap_counter)
{
    set_up(8, false);
    attach(TXTAP_RING_FROM_OLDEST);
    target_write(fixture_target, 1);
    expect(exchange_until_quiet(), "0");
    cr_assert_eq(fixture.next_seq, 1);
}

Test(ring, numbers_events_by_the_lap_counter)
{
    set_up(8, true);
    target_write(fixture_target, 8 * 1000 + 3);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "7996..8002");
}

Test(ring, starts_at_the_pointer_if_only_new_events_are_wanted)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up(8, counts);
        target_write(fixture_target, 21);
        attach(TXTAP_RING_FROM_NOW);
        expect(exchange(), "");
        target_write(fixture_target, 2);
        expect(exchange_until_quiet(), "21..22");
    }
}

Test(ring, starts_at_the_pointer_in_an_empty_ring)
{
    set_up(8, false);
    attach(TXTAP_RING_FROM_NOW);
    expect(exchange(), "");
    target_write(fixture_target, 5);
    expect(exchange_until_quiet(), "0..4");
}

Test(ring, starts_at_the_pointer_and_counts_losses_from_then_on)
{
    set_up(8, true);
    target_write(fixture_target, 21);
    attach(TXTAP_RING_FROM_NOW);
    expect(exchange(), "");
    target_write(fixture_target, 20);
    expect(exchange_until_quiet(), "lost 13, 34..40");
}

Test(ring, does_not_count_losses_before_the_first_exchange)
{
    set_up(8, true);
    target_write(fixture_target, 21);
    attach(TXTAP_RING_FROM_OLDEST);
    target_write(fixture_target, 4); /* overwrites the entries that were in the ring at the attach */
    expect(exchange_until_quiet(), "18..24");
}

Test(ring, skips_slots_that_were_never_written)
{
    set_up(TARGET_ENTRIES_MAX, false);
    target_write(fixture_target, 3);
    attach_with_smallest_buffer(TXTAP_RING_FROM_OLDEST);
    expect(exchange_until_quiet(), "0..2");
}

Test(ring, reads_a_file_to_its_last_slot)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up(8, counts);
        target_write(fixture_target, 21);
        attach(TXTAP_RING_AT_REST);
        expect(exchange(), "13..20");
        expect(exchange(), "");
    }
}

Test(ring, reads_a_file_whose_pointer_is_at_the_start)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up(8, counts);
        target_write(fixture_target, 24);
        attach(TXTAP_RING_AT_REST);
        expect(exchange_until_quiet(), "16..23"); /* for 50 ms the lap count might be one too low */
    }
}

Test(ring, reads_a_file_that_was_never_full)
{
    set_up(8, true);
    target_write(fixture_target, 3);
    attach(TXTAP_RING_AT_REST);
    expect(exchange(), "0..2");
}

Test(ring, reads_big_endian_targets)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up(8, counts);
        target_set_endian(fixture_target, TXTAP_BIG);
        target_write(fixture_target, 21);
        attach(TXTAP_RING_FROM_OLDEST);
        expect(exchange(), "14..20");
        target_write(fixture_target, 4);
        expect(exchange_until_quiet(), "21..24");
        target_write(fixture_target, 20);
        expect(exchange_until_quiet(), counts ? "lost 13, 38..44" : "lost 5+, 38..44");
    }
}

/* ---- sizes ---- */

Test(ring, reads_rings_of_two_entries)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up(2, counts);
        attach(TXTAP_RING_FROM_OLDEST);
        for (uint64_t n = 0; n < 20; n++) {
            char number[8];

            target_write(fixture_target, 1);
            snprintf(number, sizeof number, "%d", (int)n);
            expect(exchange_until_quiet(), number);
        }
    }
}

Test(ring, reads_rings_of_three_entries)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up(3, counts);
        attach(TXTAP_RING_FROM_OLDEST);
        for (uint64_t n = 0; n < 40; n += 2) {
            char numbers[16];

            target_write(fixture_target, 2);
            snprintf(numbers, sizeof numbers, "%d..%d", (int)n, (int)n + 1);
            expect(exchange_until_quiet(), numbers);
        }
    }
}

/* The writer may be in the middle of writing this ring's only slot. */
Test(ring, never_reads_the_slot_of_a_ring_of_one_entry)
{
    set_up(1, true);
    attach(TXTAP_RING_FROM_OLDEST);
    target_write(fixture_target, 5);
    expect(exchange_until_quiet(), "");
    cr_assert_leq(fixture.target.bytes_in_last_exchange, 24);
}

Test(ring, reads_a_file_of_one_entry)
{
    set_up(1, false);
    target_write(fixture_target, 5);
    attach(TXTAP_RING_AT_REST);
    expect(exchange(), "4");
}

Test(ring, reads_a_ring_larger_than_its_buffer_in_several_exchanges)
{
    set_up(200, true);
    target_write(fixture_target, 500);
    attach_with_smallest_buffer(TXTAP_RING_FROM_OLDEST);
    expect(exchange_until_quiet(), "301..499");
    cr_assert_eq(fixture.delivered.pieces, 4);
}

Test(ring, reads_at_most_two_pieces_of_the_ring)
{
    struct txtap_ring_plan plan;
    size_t in_ring = 0;
    uint32_t entries_bytes = 0;

    set_up(16, true);
    target_write(fixture_target, 21);
    attach(TXTAP_RING_FROM_OLDEST);
    txtap_ring_plan(fixture_ring, &plan, 0);
    for (size_t i = 0; i < plan.count; i++)
        if (plan.reads[i].address >= TARGET_BASE + TXTB_HEADER_BYTES) {
            in_ring++;
            entries_bytes += plan.reads[i].length;
        }
    cr_assert_eq(in_ring, 2);
    cr_assert_eq(entries_bytes, 15 * TXTB_ENTRY_BYTES);
}

/* ---- the cost of an exchange ---- */

Test(ring, polls_an_idle_ring_with_24_bytes_at_most)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up(64, counts);
        target_write(fixture_target, 100);
        attach(TXTAP_RING_FROM_OLDEST);
        exchange_until_quiet();
        fixture.target.now_us += 1000000;
        expect(exchange(), "");
        cr_assert_eq(fixture.target.bytes_in_last_exchange, counts ? 20 : 24);
        cr_assert_eq(fixture.target.reads_in_last_exchange, counts ? 1 : 2);
    }
}

/*
 * If the lap count changes, the header is read twice. Only at the ring's start, where the count may be one too low, 52
 * more bytes are read.
 */
Test(ring, reads_little_besides_the_entries)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up(64, counts);
        attach(TXTAP_RING_FROM_OLDEST);
        target_write(fixture_target, 100);
        exchange_until_quiet();
        target_write(fixture_target, 30);
        expect(exchange(), "");
        expect(exchange(), "100..129");
        cr_assert_leq(fixture.target.bytes_in_last_exchange, 30 * TXTB_ENTRY_BYTES + 40);
    }
}

Test(ring, reports_how_much_is_unread)
{
    set_up(64, true);
    attach(TXTAP_RING_FROM_OLDEST);
    exchange();
    cr_assert_eq(txtap_ring_unread(fixture_ring), 0);
    target_write(fixture_target, 5);
    exchange();
    cr_assert_eq(txtap_ring_unread(fixture_ring), 5);
    exchange();
    cr_assert_eq(txtap_ring_unread(fixture_ring), 0);
    cr_assert_eq(txtap_ring_held(fixture_ring), 0);
}

/* ---- refused exchanges ---- */

/* Carries out a plan on a target whose header word at `offset` is `value` during the exchange. */
static const char *exchange_with_word(uint32_t offset, uint32_t value)
{
    uint8_t *at = fixture.target.memory + offset;
    uint8_t before[4];
    const char *text;

    memcpy(before, at, 4);
    put_u32(at, TXTAP_LITTLE, value);
    text = exchange();
    memcpy(at, before, 4);
    return text;
}

static void refuses_unchanged(uint32_t offset, uint32_t value, const char *how)
{
    struct ring_inside before = fixture.inside;

    expect(exchange_with_word(offset, value), how);
    cr_assert_eq(memcmp(&before, &fixture.inside, sizeof before), 0, "the refused exchange changed the reader");
}

static void set_up_a_running_one(bool counts)
{
    set_up(8, counts);
    target_write(fixture_target, 21);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "14..20");
    target_write(fixture_target, 2);
    expect(exchange(), "");
}

Test(ring, refuses_a_pointer_outside_the_ring)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up_a_running_one(counts);
        refuses_unchanged(TXTB_HEADER_CURRENT, 0, "pointer");
        refuses_unchanged(TXTB_HEADER_CURRENT, TARGET_BASE + TXTB_HEADER_BYTES - TXTB_ENTRY_BYTES, "pointer");
        refuses_unchanged(TXTB_HEADER_CURRENT, TARGET_BASE + TXTB_HEADER_BYTES + 8 * TXTB_ENTRY_BYTES, "pointer");
        refuses_unchanged(TXTB_HEADER_CURRENT, 0xFFFFFFFFu, "pointer");
        expect(exchange(), "21..22");
    }
}

Test(ring, refuses_a_pointer_between_two_entries)
{
    set_up_a_running_one(true);
    refuses_unchanged(TXTB_HEADER_CURRENT, TARGET_BASE + TXTB_HEADER_BYTES + 4, "pointer");
    expect(exchange(), "21..22");
}

Test(ring, refuses_a_header_whose_geometry_changed)
{
    for (int counts = 0; counts < 2; counts++) {
        uint32_t ring_start = TARGET_BASE + TXTB_HEADER_BYTES;

        set_up_a_running_one(counts);
        refuses_unchanged(TXTB_HEADER_LAPS, 31u << 16 | 2, "moved"); /* the name size */
        refuses_unchanged(TXTB_HEADER_REGISTRY_END, ring_start + 48, "moved");
        refuses_unchanged(TXTB_HEADER_RING_START, ring_start + 32, "moved");
        refuses_unchanged(TXTB_HEADER_RING_END, ring_start + 16 * TXTB_ENTRY_BYTES, "moved");
        expect(exchange(), "21..22");
    }
}

/* If the pointer is outside the old ring and the geometry has changed, too, the pointer belongs to a new buffer. */
Test(ring, reports_a_new_geometry_as_moved_before_it_checks_the_pointer)
{
    set_up_a_running_one(true);
    put_u32(fixture.target.memory + TXTB_HEADER_RING_START, TXTAP_LITTLE, 0);
    refuses_unchanged(TXTB_HEADER_CURRENT, 0, "moved");
}

Test(ring, refuses_a_lap_count_that_runs_backwards)
{
    set_up_a_running_one(true);
    refuses_unchanged(TXTB_HEADER_LAPS, 32u << 16 | 1, "moved");
    refuses_unchanged(TXTB_HEADER_LAPS, 32u << 16 | 0, "moved");
    expect(exchange(), "21..22");
}

Test(ring, refuses_a_pointer_that_runs_backwards_within_a_lap)
{
    set_up_a_running_one(true);
    refuses_unchanged(TXTB_HEADER_CURRENT, TARGET_BASE + TXTB_HEADER_BYTES + TXTB_ENTRY_BYTES, "moved");
    expect(exchange(), "21..22");
}

Test(ring, treats_half_the_range_of_the_count_as_forwards)
{
    set_up(8, true);
    target_write(fixture_target, 21);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "14..20");
    target_write(fixture_target, 3); /* to the ring's start: target_skip_laps() requires whole laps */
    target_skip_laps(fixture_target, 32766 - 2);
    expect(exchange_until_quiet(), "lost 262116, 262137..262143");
    target_skip_laps(fixture_target, 32000);
    expect(exchange_until_quiet(), "lost 256001, 518145..518151");
    target_skip_laps(fixture_target, 32767);
    expect(exchange(), "moved");
}

/* When a trace is enabled, the kernel clears the thread words. An entry without a thread word was therefore emptied
 * after the pointer had passed it. */
Test(ring, refuses_entries_of_a_trace_that_was_enabled_again)
{
    set_up(8, false);
    target_write(fixture_target, 21);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "14..20");
    for (uint32_t slot = 0; slot < 8; slot++)
        put_u32(fixture.target.memory + TXTB_HEADER_BYTES + slot * TXTB_ENTRY_BYTES, TXTAP_LITTLE, 0);
    fixture.target.written = 0;
    target_write(fixture_target, 2);
    expect(exchange(), ""); /* the pointer has jumped back: it seems that most of a lap was written */
    cr_assert_eq(txtap_ring_unread(fixture_ring), 5);
    expect(exchange(), "moved");
    cr_assert_eq(txtap_ring_unread(fixture_ring), 0);
    expect(finish(fixture.inside.head), "");
}

/* If laps are counted, the position is certain, and the overwritten events count as lost. */
Test(ring, counts_slots_that_were_emptied_before_they_were_read)
{
    set_up_a_running_one(true);
    for (uint32_t slot = 0; slot < 8; slot++)
        put_u32(fixture.target.memory + TXTB_HEADER_BYTES + slot * TXTB_ENTRY_BYTES, TXTAP_LITTLE, 0);
    expect(exchange(), "moved");
    expect(finish(fixture.inside.head), "lost 2");
}

Test(ring, reports_how_far_it_has_read)
{
    struct txtap_ring_state state;

    set_up_a_running_one(true);
    state = txtap_ring_state(fixture_ring);
    cr_expect_eq(state.entries, 8);
    cr_expect_eq(state.buffer_entries, TARGET_ENTRIES_MAX);
    cr_expect_eq(state.next - state.seq_base, 21);
    cr_expect_eq(state.head - state.seq_base, 23);
    cr_expect_eq(state.head_at_attach - state.seq_base, 21);
    cr_expect_eq(state.start - state.seq_base, 14);
    cr_expect_eq(state.laps_state, TXTAP_LAPS_COUNTED);
    cr_expect_eq(state.laps, 2);
    cr_expect_eq(state.half_laps_at, 0);
    cr_expect(state.started && state.guard_known);
    cr_expect_not(state.inexact || state.behind || state.overtaken || state.guard_gone);
}

Test(ring, reads_no_more_at_once_than_its_limit)
{
    struct txtap_ring_plan plan;

    set_up(200, true);
    target_write(fixture_target, 150);
    attach(TXTAP_RING_FROM_START);
    txtap_ring_plan(fixture_ring, &plan, fixture.target.now_us);
    cr_assert_gt(plan.end - plan.first, TXTAP_RING_BUFFER_MIN);
    txtap_ring_limit(fixture_ring, TXTAP_RING_BUFFER_MIN);
    txtap_ring_plan(fixture_ring, &plan, fixture.target.now_us);
    cr_assert_eq(plan.end - plan.first, TXTAP_RING_BUFFER_MIN);
}

Test(ring, reports_the_next_gap_as_at_least_if_the_caller_knows_of_missed_laps)
{
    set_up_a_running_one(true);
    target_write(fixture_target, 8);
    txtap_ring_mark_inexact(fixture_ring);
    expect(exchange_until_quiet(), "lost 3+, 24..30");
    target_write(fixture_target, 8);
    expect(exchange_until_quiet(), "lost 1, 32..38");
}

/* A file was filled by the kernel long ago: the reader shows its entries although a slot is empty. */
Test(ring, reads_a_file_with_an_emptied_slot)
{
    struct txtap_ring_batch batch;

    set_up(200, false);
    target_write(fixture_target, 450);
    put_u32(fixture.target.memory + TXTB_HEADER_BYTES, TXTAP_LITTLE, 0); /* event 400 */
    target_attach(fixture_target, fixture_ring, fixture.buffer, TXTAP_RING_BUFFER_MIN, TXTAP_RING_AT_REST);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(target_exchange(fixture_target, fixture_ring, &batch), TXTAP_OK);
    cr_assert_eq(txtap_ring_unread(fixture_ring), 0);
}

/* ---- from a trace's first event on ---- */

Test(ring, reads_a_trace_that_has_not_wrapped_from_its_first_event)
{
    set_up(8, false);
    target_write(fixture_target, 3);
    attach(TXTAP_RING_FROM_START);
    target_write(fixture_target, 4);
    expect(exchange_until_quiet(), "0..6");
    expect(exchange_until_quiet(), "");
}

/* Between the reads of the header and of the first entries, the writer completes a lap. No earlier read shows it. */
Test(ring, notices_a_lap_before_the_first_read_of_a_trace_that_had_not_wrapped)
{
    set_up(8, false);
    target_write(fixture_target, 3);
    attach(TXTAP_RING_FROM_START);
    target_write(fixture_target, 10);
    expect(exchange_until_quiet(), "lost 6+, 6..12");
}

Test(ring, notices_exactly_one_lap_before_the_first_read_of_an_empty_trace)
{
    set_up(8, false);
    attach(TXTAP_RING_FROM_START);
    expect(exchange_until_quiet(), "");
    target_write(fixture_target, 8);
    expect(exchange_until_quiet(), "lost 1+, 1..7");
}

Test(ring, counts_a_lap_before_the_first_read_exactly_with_a_lap_counter)
{
    set_up(8, true);
    target_write(fixture_target, 3);
    attach(TXTAP_RING_FROM_START);
    target_write(fixture_target, 26);
    expect(exchange_until_quiet(), "lost 22, 22..28");
}

/* ---- before anything was read ---- */

Test(ring, reports_at_least_if_events_were_lost_before_its_first_read)
{
    set_up(8, false);
    target_write(fixture_target, 21);
    attach(TXTAP_RING_FROM_OLDEST);
    for (int i = 0; i < 3; i++) { /* within each exchange a lap and a half is written: no entry survives */
        write_before(header_word(TXTB_HEADER_CURRENT), 12);
        expect(exchange(), "");
    }
    exchange_until_quiet();
    cr_assert(strncmp(fixture.delivered.text, "lost ", 5) == 0 && strstr(fixture.delivered.text, "+, ") != NULL,
              "delivered: %s", fixture.delivered.text);
    cr_assert_eq(fixture.delivered.run_end, 57);
}
