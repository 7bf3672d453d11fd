/* SPDX-License-Identifier: MIT */
/*
 * Tests of a writer that overtakes the reader during an exchange: the delivered entries, the choice of the entries to
 * read next, and that nothing is skipped without reason.
 */
#include "ring/txtb_loss.h"

/* ---- why the stamps prove nothing ---- */

/*
 * The reader reads the whole ring at once. The writer reaches an entry while the reader is in the middle of it, and
 * rests there; the reader reads on. This entry is torn. Nevertheless the first four words of all entries, which include
 * the stamps, look as if nothing had been written.
 */
Test(ring_overtaken, a_torn_entry_may_lie_between_stamps_without_a_jump)
{
    uint8_t at_rest[8 * TXTB_ENTRY_BYTES], read[8 * TXTB_ENTRY_BYTES];
    uint32_t address;

    set_up(8, true);
    target_write(fixture_target, 16);
    address = entry_word_address(8, 0);
    target_read(fixture_target, &(struct txtap_read){address, sizeof at_rest, at_rest});
    write_before(entry_word_address(11, TXTB_ENTRY_INFO), 4);
    target_read(fixture_target, &(struct txtap_read){address, sizeof read, read});
    for (unsigned i = 0; i < 8; i++)
        cr_expect_arr_eq(read + i * TXTB_ENTRY_BYTES, at_rest + i * TXTB_ENTRY_BYTES, TXTB_ENTRY_INFO);
    cr_expect_not(target_entry_is_intact(fixture_target, read + 3 * TXTB_ENTRY_BYTES, 11));
    cr_expect_not(target_entry_is_intact(fixture_target, read + 3 * TXTB_ENTRY_BYTES, 19));
    cr_expect(target_entry_is_intact(fixture_target, read + 4 * TXTB_ENTRY_BYTES, 12));
}

/* ---- overtaken while reading ---- */

#define EXCHANGE_US 10000 /* much longer than the pauses between exchanges, so the writer's pace is seen correctly */

/* Sets up a ring of 64 slots. The reader knows of 60 new events; while it reads them, half of them are overwritten. */
static void set_up_an_overtaken_one(void)
{
    set_up(64, true);
    fixture.target.exchange_us = EXCHANGE_US;
    target_write(fixture_target, 130);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "67..129");
    target_write(fixture_target, 60);
    expect(exchange(), "");
    write_before(entry_word_address(150, 0), 30);
    expect(exchange(), "lost 27, 157..189");
}

Test(ring_overtaken, drops_entries_that_were_overwritten_while_being_read)
{
    set_up_an_overtaken_one();
    expect(exchange_until_quiet(), "190..219");
}

Test(ring_overtaken, drops_overwritten_entries_also_without_a_counter)
{
    set_up(64, false);
    target_write(fixture_target, 130);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "67..129");
    target_write(fixture_target, 30);
    expect(exchange(), "");
    write_before(entry_word_address(150, 0), 60);
    expect(exchange(), "");
    cr_assert(fixture.inside.guard_gone);
    expect(exchange_until_quiet(), "lost 27+, 157..219");
}

/*
 * If the backlog is longer than half a ring, the guard is soon overwritten. The newest known entry proves as much as
 * the guard, and survives.
 */
Test(ring_overtaken, loses_no_more_of_a_backlog_than_was_overwritten)
{
    set_up(64, false);
    fixture.target.exchange_us = EXCHANGE_US;
    target_write(fixture_target, 130);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "67..129");
    target_write(fixture_target, 60);
    expect(exchange(), "");
    write_before(entry_word_address(150, 0), 30);
    expect(exchange(), "lost 27, 157..189");
    expect(exchange_until_quiet(), "190..219");
}

Test(ring_overtaken, reads_less_but_newer_entries_once_it_was_overtaken)
{
    struct txtap_ring_plan plan;

    set_up_an_overtaken_one();
    cr_assert(fixture.inside.overtaken);
    txtap_ring_plan(fixture_ring, &plan, fixture.target.now_us);
    cr_assert_eq(plan.end - plan.first, 30);
    target_write(fixture_target, 50);
    exchange();
    cr_assert(fixture.inside.overtaken);
    txtap_ring_plan(fixture_ring, &plan, fixture.target.now_us);
    cr_assert_lt(plan.end - plan.first, 40);
    cr_assert_gt(plan.first, fixture.inside.head - 63);
}

/* Laps that were written before the attach are no reason to skip entries. */
Test(ring_overtaken, skips_nothing_because_of_laps_before_the_attach)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up(64, counts);
        attach(TXTAP_RING_FROM_OLDEST);
        target_write(fixture_target, 63);
        expect(exchange_until_quiet(), "0..62");
        set_up(64, counts);
        target_write(fixture_target, 64); /* if laps are counted, the count may be one too low: the reader waits */
        attach(TXTAP_RING_FROM_OLDEST);
        fixture.target.exchange_us = EXCHANGE_US;
        expect(exchange_until_quiet(), "1..63");
        cr_assert_not(fixture.inside.overtaken);
        target_write(fixture_target, 64 * 3 + 10);
        expect(exchange_until_quiet(), counts ? "lost 139, 203..265" : "lost 11+, 203..265");
    }
}

Test(ring_overtaken, reads_fewer_and_fewer_entries_if_none_survives)
{
    set_up_an_overtaken_one();
    for (int i = 0; i < 100; i++) { /* more often than an integer can be doubled */
        struct txtap_ring_plan plan;

        write_before(header_word(TXTB_HEADER_LAPS), 6400);
        expect(exchange(), "");
        txtap_ring_plan(fixture_ring, &plan, fixture.target.now_us);
        cr_assert_eq(plan.end - plan.first, 1);
        cr_assert_eq(plan.end, fixture.inside.head);
    }
}

Test(ring_overtaken, catches_up_with_a_writer_that_is_slow_enough)
{
    uint64_t delivered = 0;

    set_up_an_overtaken_one();
    for (int i = 0; i < 200; i++) {
        struct txtap_ring_plan plan;

        txtap_ring_plan(fixture_ring, &plan, fixture.target.now_us);
        if (plan.end > plan.first)
            write_before(header_word(TXTB_HEADER_CURRENT),
                         2 * (plan.end - plan.first)); /* the writer is twice as fast as the reader */
        else
            target_write(fixture_target, 2);
        exchange();
        delivered += fixture.delivered.pieces > 0;
    }
    cr_assert_gt(delivered, 0);
}

Test(ring_overtaken, reads_everything_again_when_the_writer_slows_down)
{
    set_up_an_overtaken_one();
    expect(exchange(), "190..219");
    cr_assert_not(fixture.inside.overtaken);
    target_write(fixture_target, 50);
    expect(exchange_until_quiet(), "220..269");
}

/* The reader skipped entries because it expected them to be overwritten. If the writer then stops, the reader must
 * still deliver all entries in the ring. */
Test(ring_overtaken, delivers_everything_left_by_a_writer_that_stopped)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up(64, counts);
        target_write(fixture_target, 130);
        attach(TXTAP_RING_FROM_OLDEST);
        exchange_until_quiet();
        for (int i = 0; i < 20; i++) {
            write_before(header_word(TXTB_HEADER_CURRENT), 1000);
            exchange();
        }
        cr_assert(fixture.inside.overtaken);
        exchange_until_quiet();
        cr_assert_not(fixture.inside.overtaken);
        cr_assert_eq(fixture.delivered.run_end, fixture.target.written);
        cr_assert_geq(fixture.delivered.run_end - fixture.delivered.run_first, 60);
    }
}

/* ---- overtaken before anything was read ---- */

/* Sets up a ring of 250 slots that is empty at the attach. The first 64 slots are read before they are written. */
static void set_up_one_that_fills_up(bool counts, uint64_t while_empty_slots_are_read)
{
    set_up(250, counts);
    attach_with_smallest_buffer(TXTAP_RING_FROM_OLDEST);
    write_before(header_word(TXTB_HEADER_CURRENT), while_empty_slots_are_read);
    expect(exchange(), "");
    cr_assert_not(fixture.inside.started);
}

Test(ring_overtaken, reads_a_ring_that_fills_up_faster_than_its_empty_slots_are_read)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up_one_that_fills_up(counts, 0);
        write_before(header_word(TXTB_HEADER_CURRENT), 82);
        expect(exchange(), "");
        expect(exchange_until_quiet(), "0..81");
    }
}

Test(ring_overtaken, skips_nothing_before_anything_was_read)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up_one_that_fills_up(counts, 64);
        write_before(header_word(TXTB_HEADER_CURRENT), 150);
        expect(exchange(), "");
        expect(exchange_until_quiet(), "0..213");
    }
}

/* Until the ring is full, its last slot is empty. If this slot has an entry, laps have passed. */
Test(ring_overtaken, notices_a_lap_after_only_empty_slots_were_read)
{
    set_up_one_that_fills_up(false, 0);
    target_write(fixture_target, 2 * 250 + 10);
    expect(exchange_until_quiet(), "lost 11+, 261..509");
}

/* The pointer has not wrapped since the attach, and the lap count is 0. Yet there are entries after the pointer, so
 * a lap was completed and not counted: the ring does not count laps. */
Test(ring_overtaken, learns_that_laps_are_not_counted_from_entries_of_the_previous_lap)
{
    set_up(250, false);
    target_write(fixture_target, 250 + 5);
    attach_with_smallest_buffer(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "6..69");
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_NONE);
    target_write(fixture_target, 80); /* the guard is overwritten */
    expect(exchange_until_quiet(), "lost 16+, 86..334");
}

/*
 * After 65,536 laps the lap count is 0 again. During the next lap, a recorder that counts laps looks like a recorder
 * that does not.
 */
Test(ring_overtaken, recognises_the_lap_counter_later)
{
    set_up(8, true);
    target_skip_laps(fixture_target, 65535);
    target_write(fixture_target, 2);
    attach(TXTAP_RING_FROM_OLDEST);
    fixture.numbers_begin = 8 * 65535;
    expect(exchange(), "524283..524289");
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_NONE);
    target_write(fixture_target, 8);
    expect(exchange_until_quiet(), "lost 1, 524291..524297");
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_COUNTED);
}
