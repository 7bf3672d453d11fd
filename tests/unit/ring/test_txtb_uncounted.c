/* SPDX-License-Identifier: MIT */
/*
 * Rings whose laps are not counted: how the reader detects this, and how many lost events it then reports: only as many
 * as are certain.
 */
#include "ring/txtb_loss.h"

Test(ring_uncounted, learns_that_laps_are_counted)
{
    set_up(8, true);
    target_write(fixture_target, 3);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "0..2");
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_UNKNOWN);
    target_write(fixture_target, 6);
    expect(exchange_until_quiet(), "3..8");
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_COUNTED);
}

Test(ring_uncounted, learns_that_laps_are_counted_from_its_losses)
{
    set_up(8, true);
    target_write(fixture_target, 3);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "0..2");
    target_write(fixture_target, 8 * 5); /* five whole laps: the pointer does not change */
    expect(exchange_until_quiet(), "lost 33, 36..42");
}

/* If the lap count was read only once, it may be one too low. It is only a lower bound. */
Test(ring_uncounted, does_not_trust_the_exchange_in_which_it_first_saw_the_counter)
{
    set_up(8, true);
    target_write(fixture_target, 3);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "0..2");
    target_write(fixture_target, 2);
    expect(exchange(), "");
    stop_before_the_count(11); /* 16 events are written, but only one lap is counted */
    expect(exchange(), "");
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_COUNTED);
    target_store(fixture_target);
    expect(exchange_until_quiet(), "lost 6, 9..15");
}

Test(ring_uncounted, learns_that_laps_are_not_counted)
{
    set_up(8, false);
    attach(TXTAP_RING_FROM_OLDEST);
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_UNKNOWN);
        target_write(fixture_target, 2);
        exchange_until_quiet();
        if (fixture.target.written > 8)
            break;
    }
    target_write(fixture_target, 2);
    exchange_until_quiet();
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_NONE);
}

/* At the ring's start the lap may not be counted yet: the reader must not conclude that there is no counter. */
Test(ring_uncounted, does_not_learn_from_a_pointer_at_the_start)
{
    set_up(8, true);
    attach(TXTAP_RING_FROM_OLDEST);
    target_write(fixture_target, 5);
    expect(exchange_until_quiet(), "0..4");
    stop_before_the_count(3);
    expect(exchange_until_quiet(), "5..7");
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_UNKNOWN);
    target_store(fixture_target);
    target_write(fixture_target, 1);
    expect(exchange_until_quiet(), "8");
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_COUNTED);
}

/*
 * Sets up a ring of which one event was read. After that the pointer returned to the ring's start. It passed the guard,
 * and made one more lap that the reader cannot see.
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

Test(ring_uncounted, learns_that_laps_are_not_counted_if_the_writer_rests_at_the_start)
{
    set_up_one_at_the_start();
    expect(exchange_after(40000), "");
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_UNKNOWN);
    expect(exchange_until_quiet(), "lost 8+, 9..15");
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_NONE);
}

Test(ring_uncounted, does_not_learn_from_a_writer_that_returns_to_the_start)
{
    set_up_one_at_the_start();
    for (int i = 0; i < 45; i++) {
        target_write(fixture_target, 8);
        expect(exchange_after(1000), "");
        cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_UNKNOWN);
    }
}

Test(ring_uncounted, notices_exactly_one_lap_without_a_counter)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 8);
    expect(exchange(), "");
    cr_assert(fixture.inside.guard_gone);
    expect(exchange_until_quiet(), "lost 1+, 46..52");
}

Test(ring_uncounted, reports_at_least_if_it_cannot_count)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 8 * 5 + 3);
    expect(exchange_until_quiet(), "lost 4+, 81..87");
}

Test(ring_uncounted, counts_exactly_again_after_an_inexact_gap)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 8 * 5 + 3);
    expect(exchange_until_quiet(), "lost 4+, 81..87");
    target_write(fixture_target, 3);
    expect(exchange_until_quiet(), "88..90");
}

/* The writer stores an event into the guard's slot, store by store. Until the pointer moves, nothing is lost. */
Test(ring_uncounted, does_not_report_entries_as_lost_before_they_are_overwritten)
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
            target_write(fixture_target, 1); /* the remaining stores of this event */
            expect(exchange_until_quiet(), intact ? "52" : "lost 1+, 46..52");
        }
}

Test(ring_uncounted, reports_a_loss_when_the_guards_slot_stays_overwritten)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 15); /* the pointer has passed the guard's slot once, and is at this slot again */
    expect(exchange(), "");
    expect(exchange(), "");
    cr_assert_neq(fixture.inside.guard_gone_us, 0);
    expect(exchange_after(49000), "");
    expect(exchange_after(1000), "");
    expect(exchange(), "lost 8+, 53..59");
}

Test(ring_uncounted, reports_no_loss_when_only_the_exchange_was_long)
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

Test(ring_uncounted, trusts_a_recovery_only_if_no_lap_passed_meanwhile)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 8 * 2 + 3);
    expect(exchange(), "");
    expect(exchange(), "");
    /* After two more laps the pointer, the guard and the slots look unchanged, but the newest entry does not. */
    write_before(header_word(TXTB_HEADER_CURRENT), 16);
    expect(exchange(), "");
    resumes_up_to(79);
}

/* ---- the end ---- */

Test(ring_uncounted, reports_at_least_at_the_end_too)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 8 * 2 + 3);
    expect(exchange(), "");
    expect(exchange(), "");
    write_before(header_word(TXTB_HEADER_CURRENT), 16);
    expect(exchange(), "");
    expect(finish(fixture.inside.head), "lost 11+");
}

Test(ring_uncounted, counts_exactly_at_the_end_after_an_inexact_gap)
{
    set_up_one_known_not_to_count();
    target_write(fixture_target, 8 * 5 + 3);
    expect(exchange_until_quiet(), "lost 4+, 81..87");
    target_write(fixture_target, 3);
    expect(exchange(), "");
    expect(finish(fixture.inside.head), "lost 3");
}
