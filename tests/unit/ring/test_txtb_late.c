/* SPDX-License-Identifier: MIT */
/* Fields that the kernel writes after it has moved the pointer. The reader must hold such entries back, read them
 * again, release them in time, and lose none. */
#include <criterion/criterion.h>

#include "ring/txtb_fixture.h"

static void expect(const char *what, const char *expected)
{
    cr_assert_str_eq(what, expected);
}

/* Sets up a large ring. Event 130 and all later events have a field that is written late. */
static void set_up_late_ones(void)
{
    set_up(64, true);
    target_write(fixture_target, 130);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "67..129");
    fixture.target.patched_percent = 100;
}

static const char *exchange_after(uint64_t us)
{
    fixture.target.now_us += us;
    return exchange();
}

Test(ring_late, holds_back_entries_that_may_be_patched)
{
    set_up_late_ones();
    target_write(fixture_target, 3);
    expect(exchange(), "");
    expect(exchange(), "");
    cr_assert_eq(txtap_ring_held(fixture_ring), 3);
    cr_assert_eq(txtap_ring_unread(fixture_ring), 0);
}

Test(ring_late, delivers_the_patched_field)
{
    set_up_late_ones();
    target_write(fixture_target, 3);
    expect(exchange(), "");
    expect(exchange(), "");
    target_patch_all(fixture_target);
    /* the entry has just changed: now it must stay unchanged for TXTAP_RING_HOLD_US */
    expect(exchange_after(TXTAP_RING_HOLD_US), "");
    expect(exchange(), "");
    expect(exchange_after(TXTAP_RING_HOLD_US), "130..132");
    cr_assert_eq(txtap_ring_held(fixture_ring), 0);
}

Test(ring_late, does_not_read_again_too_early)
{
    set_up_late_ones();
    target_write(fixture_target, 1);
    expect(exchange(), "");
    expect(exchange(), "");
    expect(exchange_after(TXTAP_RING_HOLD_US - 300), "");
    cr_assert_eq(fixture.target.bytes_in_last_exchange, 20);
    target_patch_all(fixture_target);
    expect(exchange_after(300), "");
    cr_assert_gt(fixture.target.bytes_in_last_exchange, 20);
}

Test(ring_late, releases_entries_that_do_not_change)
{
    set_up_late_ones();
    target_write(fixture_target, 1);
    target_patch_all(fixture_target);
    expect(exchange(), "");
    expect(exchange(), "");
    expect(exchange_after(TXTAP_RING_HOLD_US - 200), "");
    expect(exchange_after(100), "130");
}

Test(ring_late, trusts_entries_that_are_not_among_the_newest)
{
    set_up_late_ones();
    target_write(fixture_target, TXTAP_RING_HOLD_ENTRIES + 3);
    target_patch_all(fixture_target);
    expect(exchange(), "");
    expect(exchange(), "130..132");
    cr_assert_eq(txtap_ring_held(fixture_ring), TXTAP_RING_HOLD_ENTRIES);
}

/* Sets up an allocation. Its late field is 0 until memory is available. */
static void set_up_an_allocation(void)
{
    set_up(64, true);
    target_write(fixture_target, 1);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "0");
    fixture.target.patched_id = TARGET_ALLOCATE_ID;
    fixture.target.patched_percent = 100;
    target_write(fixture_target, 1);
    expect(exchange(), "");
    expect(exchange(), "");
}

Test(ring_late, waits_for_fields_that_are_not_written_yet)
{
    set_up_an_allocation();
    expect(exchange_after(TXTAP_RING_HOLD_US), "");
    expect(exchange_after(TXTAP_RING_PATIENCE_US / 2), "");
    target_patch_all(fixture_target);
    expect(exchange(), "");
    expect(exchange_after(TXTAP_RING_HOLD_US), "1");
    cr_assert_eq(fixture.unsettled, 0);
}

Test(ring_late, does_not_wait_forever)
{
    struct txtap_ring_batch batch;

    set_up_an_allocation();
    expect(exchange_after(TXTAP_RING_PATIENCE_US - 300), "");
    fixture.target.now_us += 200;
    cr_assert_eq(target_exchange(fixture_target, fixture_ring, &batch), TXTAP_OK);
    cr_assert_eq(batch.count, 1);
    cr_assert_eq(batch.unsettled, 0, "the 0 is clear enough");
}

Test(ring_late, waits_as_long_as_configured)
{
    struct txtap_ring_batch batch;

    set_up_an_allocation();
    fixture.inside.patience_us = 10000;
    expect(exchange_after(10000 - 300), "");
    fixture.target.now_us += 200;
    cr_assert_eq(target_exchange(fixture_target, fixture_ring, &batch), TXTAP_OK);
    cr_assert_eq(batch.count, 1);
}

Test(ring_late, marks_entries_that_kept_changing)
{
    uint8_t *word;

    set_up_late_ones();
    target_write(fixture_target, 1);
    expect(exchange(), "");
    expect(exchange(), "");
    word = fixture.target.memory + (entry_word_address(130, TXTB_ENTRY_INFO + 12) - TARGET_BASE);
    for (uint64_t us = 0; us < TXTAP_RING_PATIENCE_US - 2100; us += 2100) {
        ++*word;
        expect(exchange_after(2000), "");
    }
    ++*word;
    expect(exchange_after(2000), "130");
    cr_assert_eq(fixture.unsettled, 1);
}

/* The order of events comes first: an event without late fields waits for an earlier event that has one. */
Test(ring_late, delivers_nothing_past_a_held_entry)
{
    set_up_late_ones();
    target_write(fixture_target, 1);
    fixture.target.patched_percent = 0;
    target_write(fixture_target, 4);
    expect(exchange(), "");
    expect(exchange(), "");
    cr_assert_eq(txtap_ring_held(fixture_ring), 5);
    fixture.target.patched_percent = 100;
    target_patch_all(fixture_target);
    expect(exchange_after(TXTAP_RING_HOLD_US), "");
    fixture.target.patched_percent = 100;
}

Test(ring_late, keeps_an_entrys_waiting_time_while_new_entries_arrive)
{
    set_up_late_ones();
    target_write(fixture_target, 1);
    target_patch_all(fixture_target);
    expect(exchange(), "");
    expect(exchange(), "");
    target_write(fixture_target, 1);
    target_patch_all(fixture_target);
    expect(exchange_after(1000), "");
    expect(exchange(), ""); /* event 130 has waited for 1200 us, event 131 is new */
    expect(exchange_after(800), "130");
    cr_assert_eq(txtap_ring_held(fixture_ring), 1);
    expect(exchange_after(1200), "131");
}

Test(ring_late, delivers_held_entries_as_first_read_if_they_are_overwritten)
{
    for (int counts = 0; counts < 2; counts++) {
        set_up(64, counts);
        attach(TXTAP_RING_FROM_OLDEST);
        target_write(fixture_target, 60);
        expect(exchange_until_quiet(), "0..59");
        target_write(fixture_target, 60);
        expect(exchange_until_quiet(), "60..119");
        fixture.target.patched_percent = 100;
        target_write(fixture_target, 2);
        expect(exchange(), "");
        expect(exchange(), "");
        fixture.target.patched_percent = 0;
        target_write(fixture_target, 64 * 3 + 5);
        /* the numbers of held events are still known: they are in words that are never written late */
        if (counts)
            expect(exchange_until_quiet(), "held 120..121, lost 134, 256..318");
        else
            expect(exchange_until_quiet(), "held 120..121, lost 6+, 256..318");
        cr_assert_eq(fixture.unsettled, 2);
    }
}

Test(ring_late, delivers_some_held_entries_as_first_read_and_the_others_patched)
{
    set_up_late_ones();
    target_write(fixture_target, 4);
    expect(exchange(), "");
    expect(exchange(), "");
    target_patch_all(fixture_target);
    target_write(fixture_target, 61); /* overwrites event 130, and perhaps event 131 */
    target_patch_all(fixture_target);
    expect(exchange(), "");
    expect(exchange(), "held 130..131, 132..178");
    cr_assert_eq(fixture.unsettled, 2);
}

Test(ring_late, delivers_held_entries_at_the_end)
{
    set_up_late_ones();
    target_write(fixture_target, 3);
    expect(exchange(), "");
    expect(exchange(), "");
    expect(finish(fixture.inside.head), "held 130..132");
    cr_assert_eq(fixture.unsettled, 3);
    cr_assert_eq(txtap_ring_held(fixture_ring), 0);
    expect(finish(fixture.inside.head), "");
}

/* The guard is an allocation with a late word. The reader must recognise the guard after this word is written. */
Test(ring_late, recognises_the_guard_after_one_of_its_fields_was_patched)
{
    set_up(64, false);
    attach(TXTAP_RING_FROM_OLDEST);
    fixture.target.patched_id = TARGET_ALLOCATE_ID;
    fixture.target.patched_percent = 100;
    target_write(fixture_target, 3);
    expect(exchange(), "");
    expect(exchange(), "");
    target_patch_all(fixture_target); /* the guard is event 2 */
    expect(exchange(), "");
    cr_assert_not(fixture.inside.guard_gone);
    expect(exchange_after(TXTAP_RING_HOLD_US), "");
    expect(exchange_after(TXTAP_RING_HOLD_US), "0..2");
}

Test(ring_late, knows_late_fields_on_every_core)
{
    set_up_late_ones();
    fixture.target.patched_id |= 3u << 24;
    target_write(fixture_target, 3);
    expect(exchange(), "");
    expect(exchange(), "");
    cr_assert_eq(txtap_ring_held(fixture_ring), 3);
}

Test(ring_late, recognises_the_guard_on_every_core)
{
    set_up(64, false);
    attach(TXTAP_RING_FROM_OLDEST);
    fixture.target.patched_id = TARGET_ALLOCATE_ID | 1u << 24;
    fixture.target.patched_percent = 100;
    target_write(fixture_target, 1);
    expect(exchange(), "");
    expect(exchange(), "");
    target_patch_all(fixture_target);
    expect(exchange(), "");
    cr_assert_not(fixture.inside.guard_gone);
}

Test(ring_late, does_not_hold_unknown_events)
{
    set_up(64, true);
    fixture.target.plain_id = 3999;
    target_write(fixture_target, 5);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "0..4");
}
