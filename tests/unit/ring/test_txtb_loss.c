/* SPDX-License-Identifier: MIT */
/*
 * Tests of a writer that overtakes the reader while laps are counted. The reader must report the exact number of lost
 * events, and deliver no entry that may have been overwritten while it was read. Rings without a lap counter are
 * tested in test_txtb_uncounted.c, writers that overtake the reader during an exchange in test_txtb_overtaken.c.
 */
#include "ring/txtb_loss.h"
#include "txtb_bytes.h"

Test(ring_loss, reports_loss_when_writer_laps_reader)
{
    set_up_a_running_one(true);
    target_write(fixture_target, 20);
    expect(exchange(), "");
    expect(exchange(), "lost 13, 34..40");
    expect(exchange_until_quiet(), "");
}

Test(ring_loss, loses_nothing_while_the_writer_has_not_reached_the_guard)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up_a_running_one(counts);
        target_write(fixture_target, 7);
        expect(exchange_until_quiet(), "21..27");
    }
}

/* The writer may start to overwrite the slot at the pointer at any moment, so its entry, the oldest, is skipped. */
Test(ring_loss, counts_the_entry_in_the_slot_that_is_written_next)
{
    set_up_a_running_one(true);
    target_write(fixture_target, 8);
    expect(exchange_until_quiet(), "lost 1, 22..28");
}

Test(ring_loss, notices_exactly_one_lap)
{
    set_up_a_running_one(true);
    target_write(fixture_target, 8);
    expect(exchange(), "");
    cr_assert_eq(txtap_ring_unread(fixture_ring), 8);
}

Test(ring_loss, counts_many_laps_exactly)
{
    set_up_a_running_one(true);
    target_write(fixture_target, 8 * 1000);
    expect(exchange_until_quiet(), "lost 7993, 8014..8020");
}

Test(ring_loss, counts_across_the_wrap_of_the_lap_counter)
{
    set_up(8, true);
    target_skip_laps(fixture_target, 65530);
    attach(TXTAP_RING_FROM_OLDEST);
    exchange_until_quiet();
    target_write(fixture_target, 3);
    exchange_until_quiet();
    target_write(fixture_target, 8 * 10); /* the 16-bit lap counter goes from 65531 to 5 */
    cr_assert_eq(fixture.target.memory[TXTB_HEADER_LAPS + 1], 0, "the counter did not wrap");
    expect(exchange_until_quiet(), "lost 73, 524324..524330");
}

Test(ring_loss, recognises_a_lap_counter_that_has_just_wrapped_to_zero)
{
    set_up(8, true);
    target_skip_laps(fixture_target, 65535);
    target_write(fixture_target, 2);
    cr_assert_eq(fixture.target.memory[TXTB_HEADER_LAPS], 0);
    attach(TXTAP_RING_FROM_OLDEST);
    fixture.numbers_begin = 8 * 65536;
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_UNKNOWN);
    target_write(fixture_target, 8);
    exchange();
    exchange();
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_COUNTED);
}

/* ---- the pointer is at the ring's start, and the lap count is one too low ---- */

Test(ring_loss, waits_while_the_count_may_be_one_behind)
{
    set_up_a_running_one(true);
    stop_before_the_count(3); /* 24 events are written, but only two laps are counted */
    expect(exchange(), "");
    expect(exchange(), "");
    target_store(fixture_target);
    expect(exchange_until_quiet(), "21..23");
}

Test(ring_loss, does_not_trust_a_count_that_may_be_one_behind_once_the_guard_is_gone)
{
    set_up_a_running_one(true);
    stop_before_the_count(8 + 3);
    expect(exchange(), ""); /* by the count, there may be 24 events or 32 */
    expect(exchange(), "");
    target_store(fixture_target);
    expect(exchange_until_quiet(), "lost 4, 25..31");
}

/* An intact guard proves that less than a lap was written, whatever the count says. */
Test(ring_loss, does_not_wait_while_the_guard_is_intact)
{
    set_up_a_running_one(true);
    target_write(fixture_target, 3); /* to the ring's start */
    expect(exchange_after(1000), "");
    expect(exchange(), "21..23");
}

/* Two laps later the guard's slot may contain an event that looks exactly like the guard. */
Test(ring_loss, trusts_the_count_more_than_the_guard)
{
    uint8_t *guard = fixture.target.memory + TXTB_HEADER_BYTES + 4 * TXTB_ENTRY_BYTES;
    uint8_t before[TXTB_ENTRY_BYTES], after[TXTB_ENTRY_BYTES];

    set_up_a_running_one(true);
    memcpy(before, guard, sizeof before);
    target_write(fixture_target, 3);
    expect(exchange(), "");
    target_write(fixture_target, 16);
    memcpy(after, guard, sizeof after);
    memcpy(guard, before, sizeof before);
    expect(exchange(), "");
    memcpy(guard, after, sizeof after);
    expect(exchange_until_quiet(), "lost 12, 33..39");
}

Test(ring_loss, trusts_the_count_when_the_writer_rests)
{
    set_up(8, true);
    target_write(fixture_target, 24);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "");
    expect(exchange_after(49000), "");
    expect(exchange_after(1000), "17..23");
}

Test(ring_loss, does_not_call_it_rest_when_the_newest_entry_changed)
{
    set_up(8, true);
    target_write(fixture_target, 24);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "");
    fixture.target.now_us += 49000;
    target_write(fixture_target, 8); /* a whole lap: the pointer does not change */
    expect(exchange_after(1000), "");
    expect(exchange_after(50000), "");
    expect(exchange_after(50000), "lost 1, 25..31"); /* event 24 was written after the attach, so it counts as lost */
}

Test(ring_loss, accepts_a_lap_that_is_counted_between_the_two_reads_of_the_count)
{
    set_up_a_running_one(true);
    target_write(fixture_target, 3);
    expect(exchange(), ""); /* the pointer has passed 24 events */
    write_before(header_word(TXTB_HEADER_CURRENT), 24);
    expect(exchange(), "");
    resumes_up_to(47);
}

Test(ring_loss, accepts_a_lap_that_is_counted_after_the_pointer_was_read)
{
    set_up_a_running_one(true);
    target_write(fixture_target, 2);
    expect(exchange(), "");
    /* The entries may be a lap newer than expected: only the second read of the count shows it. */
    write_before(entry_word_address(22, 28), 16);
    expect(exchange(), "");
    resumes_up_to(38);
}

/* A writer at rest is recognised by two reads 50 ms apart. The duration of one slow exchange proves no rest. */
Test(ring_loss, does_not_call_it_rest_when_only_the_exchange_was_long)
{
    set_up_a_running_one(true);
    stop_before_the_count(8 + 3);
    expect(exchange(), "");
    fixture.target.exchange_us = 60000;
    expect(exchange(), "");
    fixture.target.exchange_us = 0;
    expect(exchange(), "");
    target_store(fixture_target);
    expect(exchange_until_quiet(), "lost 4, 25..31");
}

/* ---- the end ---- */

Test(ring_loss, counts_written_but_unread_events_at_the_end)
{
    set_up_a_running_one(true);
    target_write(fixture_target, 20);
    expect(exchange(), "");
    expect(finish(fixture.inside.head), "lost 20");
    expect(finish(fixture.inside.head), "");
}

Test(ring_loss, counts_nothing_at_the_end_of_a_stream_that_never_started)
{
    set_up(8, true);
    target_write(fixture_target, 21);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(finish(fixture.inside.head), "");
}
