/* SPDX-License-Identifier: MIT */
/*
 * What the ring reader reports when the writer overtakes it: with a lap counter the exact number of lost events,
 * without one at least as many as are certain, and in both cases no entry that may have been overwritten while it was
 * read.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "ring/txtb_fixture.h"
#include "txtb_bytes.h"

static void expect(const char *what, const char *expected)
{
    cr_assert_str_eq(what, expected);
}

/* A ring of 8 whose events 14 to 20 were read: the guard is event 20, in slot 4. */
static void set_up_a_running_one(bool counts)
{
    set_up(8, counts);
    target_write(fixture_target, 21);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "14..20");
}

static const char *exchange_after(uint64_t us)
{
    fixture.target.now_us += us;
    return exchange();
}

/* What is missing must be in a gap; how many more entries are skipped in advance is up to the planner. */
static void resumes_up_to(uint64_t newest)
{
    const char *text = exchange_until_quiet();

    cr_assert_eq(strncmp(text, "lost ", 5), 0, "delivered: %s", text);
    cr_assert_eq(fixture.run_end, newest + 1, "delivered: %s", text);
}

/* ---- with a lap counter ---- */

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

/* The slot at the pointer may be written at any moment, so its oldest entry is skipped. */
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
    target_write(fixture_target, 8 * 10); /* counter: 65531 to 5 */
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
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_UNKNOWN);
    target_write(fixture_target, 8);
    exchange();
    exchange();
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_COUNTED);
}

/* ---- the pointer at the ring's start, the count one behind ---- */

/* Stops the writer between the two last stores of the lap's last event: pointer moved, lap not counted. */
static void stop_before_the_count(uint64_t events)
{
    target_write(fixture_target, events - 1);
    for (int i = 0; i < 9; i++)
        target_store(fixture_target);
    cr_assert_eq(fixture.target.store, 9);
}

Test(ring_loss, waits_while_the_count_may_be_one_behind)
{
    set_up_a_running_one(true);
    stop_before_the_count(3); /* of 24 events */
    expect(exchange(), "");
    expect(exchange(), "");
    target_store(fixture_target);
    expect(exchange_until_quiet(), "21..23");
}

Test(ring_loss, does_not_trust_a_count_that_may_be_one_behind_once_the_guard_is_gone)
{
    set_up_a_running_one(true);
    stop_before_the_count(8 + 3);
    expect(exchange(), ""); /* the count says 24 events, or 32 */
    expect(exchange(), "");
    target_store(fixture_target);
    expect(exchange_until_quiet(), "lost 4, 25..31");
}

/* With an intact guard the writer is within the lap, whatever the count. */
Test(ring_loss, does_not_wait_while_the_guard_is_intact)
{
    set_up_a_running_one(true);
    target_write(fixture_target, 3); /* to the ring's start */
    expect(exchange(), "");
    expect(exchange(), "21..23");
}

/* Two laps later the guard's slot may have an event that looks exactly like it. */
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
    target_write(fixture_target, 8); /* the same pointer */
    expect(exchange_after(1000), "");
    expect(exchange_after(50000), "");
    expect(exchange_after(50000), "lost 1, 25..31"); /* 24 came after the attach */
}

Test(ring_loss, accepts_a_lap_that_is_counted_between_the_two_reads_of_the_count)
{
    set_up_a_running_one(true);
    target_write(fixture_target, 3);
    expect(exchange(), ""); /* head: 24 */
    write_before(header_word(TXTB_HEADER_CURRENT), 24);
    expect(exchange(), "");
    resumes_up_to(47);
}

Test(ring_loss, accepts_a_lap_that_is_counted_after_the_pointer_was_read)
{
    set_up_a_running_one(true);
    target_write(fixture_target, 2);
    expect(exchange(), "");
    /* Only the second read of the count shows that the entries may be a lap too new. */
    write_before(entry_word_address(22, 28), 16);
    expect(exchange(), "");
    resumes_up_to(38);
}

/* The 50 ms are between two reads: in a slow exchange it is not known when each word was read. */
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

/* ---- without a lap counter ---- */

static void set_up_one_known_not_to_count(void)
{
    set_up_a_running_one(false);
    for (int i = 0; i < 6; i++) {
        target_write(fixture_target, 4);
        exchange_until_quiet();
    }
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_NONE);
}

Test(ring_loss, learns_that_laps_are_counted)
{
    set_up(8, true);
    target_write(fixture_target, 3);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "0..2");
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_UNKNOWN);
    target_write(fixture_target, 6);
    expect(exchange_until_quiet(), "3..8");
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_COUNTED);
}

Test(ring_loss, learns_that_laps_are_counted_from_what_it_lost)
{
    set_up(8, true);
    target_write(fixture_target, 3);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "0..2");
    target_write(fixture_target, 8 * 5); /* the pointer has not moved */
    expect(exchange_until_quiet(), "lost 33, 36..42");
}

/* A count read once may be one behind: it is a minimum. */
Test(ring_loss, does_not_trust_the_exchange_in_which_it_first_saw_the_counter)
{
    set_up(8, true);
    target_write(fixture_target, 3);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "0..2");
    target_write(fixture_target, 2);
    expect(exchange(), "");
    stop_before_the_count(11); /* of 16 events */
    expect(exchange(), "");
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_COUNTED);
    target_store(fixture_target);
    expect(exchange_until_quiet(), "lost 6, 9..15");
}

Test(ring_loss, learns_that_laps_are_not_counted)
{
    set_up(8, false);
    attach(TXTAP_RING_FROM_OLDEST);
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_UNKNOWN);
        target_write(fixture_target, 2);
        exchange_until_quiet();
        if (fixture.target.written > 8)
            break;
    }
    target_write(fixture_target, 2);
    exchange_until_quiet();
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_NONE);
}

/* At the ring's start the count may still follow: only a resting writer shows that there is no counter. */
Test(ring_loss, does_not_learn_from_a_pointer_at_the_start)
{
    set_up(8, true);
    attach(TXTAP_RING_FROM_OLDEST);
    target_write(fixture_target, 5);
    expect(exchange_until_quiet(), "0..4");
    stop_before_the_count(3);
    expect(exchange_until_quiet(), "5..7");
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_UNKNOWN);
    target_store(fixture_target);
    target_write(fixture_target, 1);
    expect(exchange_until_quiet(), "8");
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_COUNTED);
}

/* One event was read; then the pointer came back to the start, past the guard, with one more lap that cannot be seen.
 */
static void set_up_one_at_the_start(void)
{
    set_up(8, false);
    target_write(fixture_target, 1);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "0");
    target_write(fixture_target, 15);
    expect(exchange(), "");
    expect(exchange(), "");
}

Test(ring_loss, learns_that_laps_are_not_counted_from_a_writer_that_rests_at_the_start)
{
    set_up_one_at_the_start();
    expect(exchange_after(40000), "");
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_UNKNOWN);
    expect(exchange_until_quiet(), "lost 8+, 9..15");
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_NONE);
}

Test(ring_loss, does_not_learn_from_a_writer_that_comes_back_to_the_start)
{
    set_up_one_at_the_start();
    for (int i = 0; i < 45; i++) {
        target_write(fixture_target, 8);
        expect(exchange_after(1000), "");
        cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_UNKNOWN);
    }
}

Test(ring_loss, notices_exactly_one_lap_without_a_counter)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 8);
    expect(exchange(), "");
    cr_assert(fixture.ring.guard_gone);
    expect(exchange_until_quiet(), "lost 1+, 46..52");
}

Test(ring_loss, says_at_least_when_it_cannot_count)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 8 * 5 + 3);
    expect(exchange_until_quiet(), "lost 4+, 81..87");
}

Test(ring_loss, counts_exactly_again_after_an_inexact_gap)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 8 * 5 + 3);
    expect(exchange_until_quiet(), "lost 4+, 81..87");
    target_write(fixture_target, 3);
    expect(exchange_until_quiet(), "88..90");
}

/* The stores of one event into the guard's slot, one by one: nothing is lost until the pointer moves. */
Test(ring_loss, does_not_report_as_lost_what_is_about_to_be_overwritten)
{
    for (int order = 0; order < 2; order++)
        for (uint64_t stores = 1; stores <= 8; stores++) {
            bool intact = stores < (order == TARGET_STORES_AS_THREADX ? 4 : 2);

            set_up_one_known_not_to_count();
            fixture.target.order = (enum target_stores)order;
            target_write(fixture_target, 7); /* the pointer is at the guard's slot */
            for (uint64_t i = 0; i < stores; i++)
                target_store(fixture_target);
            expect(exchange(), "");
            expect(exchange(), intact ? "45..51" : "");
            target_write(fixture_target, 1); /* the rest of it */
            expect(exchange_until_quiet(), intact ? "52" : "lost 1+, 46..52");
        }
}

Test(ring_loss, reports_a_loss_when_the_guards_slot_stays_overwritten)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 15); /* the pointer is at the guard's slot, and has passed it once */
    expect(exchange(), "");
    expect(exchange(), "");
    cr_assert_neq(fixture.ring.guard_gone_us, 0);
    expect(exchange_after(49000), "");
    expect(exchange_after(1000), "");
    expect(exchange(), "lost 8+, 53..59");
}

Test(ring_loss, reports_no_loss_when_only_the_exchange_was_long)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 7); /* the pointer is at the guard's slot */
    for (int stores = 0; stores < 6; stores++)
        target_store(fixture_target);
    expect(exchange(), "");
    fixture.target.exchange_us = 60000;
    expect(exchange(), "");
    fixture.target.exchange_us = 0;
    expect(exchange(), "");
    target_write(fixture_target, 1);
    expect(exchange_until_quiet(), "lost 1+, 46..52");
}

Test(ring_loss, trusts_a_recovery_only_if_no_lap_passed_meanwhile)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 8 * 2 + 3);
    expect(exchange(), "");
    expect(exchange(), "");
    /* The pointer, the guard and the slots look alike after two more laps; the newest entry does not. */
    write_before(header_word(TXTB_HEADER_CURRENT), 16);
    expect(exchange(), "");
    resumes_up_to(79);
}

/* ---- overtaken while reading ---- */

#define EXCHANGE_US 10000 /* much longer than the pauses in between: the writer is as fast as it looks */

/* A ring of 64 of which 60 new events are known, and half of them are overwritten while they are read. */
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

Test(ring_loss, drops_entries_that_were_overwritten_while_being_read)
{
    set_up_an_overtaken_one();
    expect(exchange_until_quiet(), "190..219");
}

Test(ring_loss, drops_such_entries_also_without_a_counter)
{
    set_up(64, false);
    target_write(fixture_target, 130);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "67..129");
    target_write(fixture_target, 30);
    expect(exchange(), "");
    write_before(entry_word_address(150, 0), 60);
    expect(exchange(), "");
    cr_assert(fixture.ring.guard_gone);
    expect(exchange_until_quiet(), "lost 27+, 157..219");
}

/* With a backlog of more than half a ring the guard is about to be overwritten; the newest known entry proves as much,
 * and stays. */
Test(ring_loss, loses_no_more_of_a_backlog_than_was_overwritten)
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

Test(ring_loss, reads_less_but_newer_entries_once_it_was_overtaken)
{
    struct txtap_ring_plan plan;

    set_up_an_overtaken_one();
    cr_assert(fixture.ring.overtaken);
    txtap_ring_plan(fixture_ring, &plan, fixture.target.now_us);
    cr_assert_eq(plan.end - plan.first, 30);
    target_write(fixture_target, 50);
    exchange();
    cr_assert(fixture.ring.overtaken);
    txtap_ring_plan(fixture_ring, &plan, fixture.target.now_us);
    cr_assert_lt(plan.end - plan.first, 40);
    cr_assert_gt(plan.first, fixture.ring.head - 63);
}

/* Nothing in the ring is skipped because of what happened before there was a reader. */
Test(ring_loss, skips_nothing_because_of_laps_before_the_attach)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up(64, counts);
        attach(TXTAP_RING_FROM_OLDEST);
        target_write(fixture_target, 63);
        expect(exchange_until_quiet(), "0..62");
        set_up(64, counts);
        target_write(fixture_target, 64); /* the count may be one behind, if there is one: it waits */
        attach(TXTAP_RING_FROM_OLDEST);
        fixture.target.exchange_us = EXCHANGE_US;
        expect(exchange_until_quiet(), "1..63");
        cr_assert_not(fixture.ring.overtaken);
        target_write(fixture_target, 64 * 3 + 10);
        expect(exchange_until_quiet(), counts ? "lost 139, 203..265" : "lost 11+, 203..265");
    }
}

Test(ring_loss, reads_fewer_and_fewer_entries_if_none_survives)
{
    set_up_an_overtaken_one();
    for (int i = 0; i < 100; i++) { /* more often than a number can be doubled */
        struct txtap_ring_plan plan;

        write_before(header_word(TXTB_HEADER_LAPS), 6400);
        expect(exchange(), "");
        txtap_ring_plan(fixture_ring, &plan, fixture.target.now_us);
        cr_assert_eq(plan.end - plan.first, 1);
        cr_assert_eq(plan.end, fixture.ring.head);
    }
}

Test(ring_loss, catches_up_with_a_writer_that_is_slow_enough)
{
    uint64_t delivered = 0;

    set_up_an_overtaken_one();
    for (int i = 0; i < 200; i++) {
        struct txtap_ring_plan plan;

        txtap_ring_plan(fixture_ring, &plan, fixture.target.now_us);
        if (plan.end > plan.first)
            write_before(header_word(TXTB_HEADER_CURRENT),
                         2 * (plan.end - plan.first)); /* twice as fast as the reader */
        else
            target_write(fixture_target, 2);
        exchange();
        delivered += fixture.pieces > 0;
    }
    cr_assert_gt(delivered, 0);
}

Test(ring_loss, reads_everything_again_when_the_writer_slows_down)
{
    set_up_an_overtaken_one();
    expect(exchange(), "190..219");
    cr_assert_not(fixture.ring.overtaken);
    target_write(fixture_target, 50);
    expect(exchange_until_quiet(), "220..269");
}

/* The reader had skipped entries that it expected to be overwritten. When the writer stops, everything still there must
 * be delivered. */
Test(ring_loss, delivers_everything_left_by_a_writer_that_stopped)
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
        cr_assert(fixture.ring.overtaken);
        exchange_until_quiet();
        cr_assert_not(fixture.ring.overtaken);
        cr_assert_eq(fixture.run_end, fixture.target.written);
        cr_assert_geq(fixture.run_end - fixture.run_first, 60);
    }
}

/* ---- overtaken before anything was read ---- */

/* A ring of 250 that was empty at the attach: the first 64 slots that are read were never written. */
static void set_up_one_that_fills_up(bool counts, uint64_t while_empty_slots_are_read)
{
    set_up(250, counts);
    attach_with_smallest_buffer(TXTAP_RING_FROM_OLDEST);
    write_before(header_word(TXTB_HEADER_CURRENT), while_empty_slots_are_read);
    expect(exchange(), "");
    cr_assert_not(fixture.ring.started);
}

Test(ring_loss, reads_a_ring_that_fills_up_faster_than_its_empty_slots_are_read)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up_one_that_fills_up(counts, 0);
        write_before(header_word(TXTB_HEADER_CURRENT), 82);
        expect(exchange(), "");
        expect(exchange_until_quiet(), "0..81");
    }
}

Test(ring_loss, skips_nothing_before_anything_was_read)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up_one_that_fills_up(counts, 64);
        write_before(header_word(TXTB_HEADER_CURRENT), 150);
        expect(exchange(), "");
        expect(exchange_until_quiet(), "0..213");
    }
}

/* The last slot is empty until the ring is full: it shows that laps have passed. */
Test(ring_loss, notices_a_lap_after_only_empty_slots_were_read)
{
    set_up_one_that_fills_up(false, 0);
    target_write(fixture_target, 2 * 250 + 10);
    expect(exchange_until_quiet(), "lost 11+, 261..509");
}

/* The pointer has not wrapped since the attach, but the entries after it prove that the lap count of 0 is not a count.
 */
Test(ring_loss, learns_that_laps_are_not_counted_from_what_the_lap_before_left)
{
    set_up(250, false);
    target_write(fixture_target, 250 + 5);
    attach_with_smallest_buffer(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "6..69");
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_NONE);
    target_write(fixture_target, 80); /* the guard is overwritten */
    expect(exchange_until_quiet(), "lost 16+, 86..334");
}

/* After 65,536 laps a recorder that counts looks like that for one lap. */
Test(ring_loss, recognises_the_lap_counter_later)
{
    set_up(8, true);
    target_skip_laps(fixture_target, 65535);
    target_write(fixture_target, 2);
    attach(TXTAP_RING_FROM_OLDEST);
    fixture.numbers_begin = 8 * 65535;
    expect(exchange(), "524283..524289");
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_NONE);
    target_write(fixture_target, 8);
    expect(exchange_until_quiet(), "lost 1, 524291..524297");
    cr_assert_eq(fixture.ring.laps_state, TXTAP_LAPS_COUNTED);
}

/* ---- the end ---- */

Test(ring_loss, counts_at_the_end_what_was_written_and_not_read)
{
    set_up_a_running_one(true);
    target_write(fixture_target, 20);
    expect(exchange(), "");
    expect(finish(fixture.ring.head), "lost 20");
    expect(finish(fixture.ring.head), "");
}

Test(ring_loss, says_at_least_at_the_end_too)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 8 * 2 + 3);
    expect(exchange(), "");
    expect(exchange(), "");
    write_before(header_word(TXTB_HEADER_CURRENT), 16);
    expect(exchange(), "");
    expect(finish(fixture.ring.head), "lost 11+");
}

Test(ring_loss, counts_exactly_at_the_end_after_an_inexact_gap)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 8 * 5 + 3);
    expect(exchange_until_quiet(), "lost 4+, 81..87");
    target_write(fixture_target, 3);
    expect(exchange(), "");
    expect(finish(fixture.ring.head), "lost 3");
}

Test(ring_loss, counts_nothing_at_the_end_of_a_stream_that_never_started)
{
    set_up(8, true);
    target_write(fixture_target, 21);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(finish(fixture.ring.head), "");
}
