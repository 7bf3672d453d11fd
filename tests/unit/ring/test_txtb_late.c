/* SPDX-License-Identifier: MIT */
/* Fields that the kernel writes after it has moved the pointer: held back, read again, released, never forgotten. */
#include <criterion/criterion.h>

#include "ring/txtb_story.h"

static void told(const char *what, const char *expected)
{
    cr_assert_str_eq(what, expected);
}

/* A large ring in which every event from the given one on has a field that is written late. */
static void tell_late_ones(void)
{
    tell(64, true);
    target_write(target_of_story, 130);
    attach(TXTAP_RING_FROM_OLDEST);
    told(exchange(), "67..129");
    story.target.patched_percent = 100;
}

static const char *exchange_after(uint64_t us)
{
    story.target.now_us += us;
    return exchange();
}

Test(ring_late, holds_back_what_may_be_patched)
{
    tell_late_ones();
    target_write(target_of_story, 3);
    told(exchange(), "");
    told(exchange(), "");
    cr_assert_eq(txtap_ring_held(ring_of_story), 3);
    cr_assert_eq(txtap_ring_unread(ring_of_story), 0);
}

Test(ring_late, delivers_the_patched_field)
{
    tell_late_ones();
    target_write(target_of_story, 3);
    told(exchange(), "");
    told(exchange(), "");
    target_patch_all(target_of_story);
    told(exchange_after(TXTAP_RING_HOLD_US), ""); /* changed: from now on it has to stay */
    told(exchange(), "");
    told(exchange_after(TXTAP_RING_HOLD_US), "130..132");
    cr_assert_eq(txtap_ring_held(ring_of_story), 0);
}

Test(ring_late, does_not_read_again_before_the_time_has_come)
{
    tell_late_ones();
    target_write(target_of_story, 1);
    told(exchange(), "");
    told(exchange(), "");
    told(exchange_after(TXTAP_RING_HOLD_US - 300), "");
    cr_assert_eq(story.target.bytes_in_last_exchange, 24);
    target_patch_all(target_of_story);
    told(exchange_after(300), "");
    cr_assert_gt(story.target.bytes_in_last_exchange, 24);
}

Test(ring_late, releases_what_stays_as_it_is)
{
    tell_late_ones();
    target_write(target_of_story, 1);
    target_patch_all(target_of_story);
    told(exchange(), "");
    told(exchange(), "");
    told(exchange_after(TXTAP_RING_HOLD_US - 200), "");
    told(exchange_after(100), "130");
}

Test(ring_late, trusts_entries_that_are_no_longer_among_the_newest)
{
    tell_late_ones();
    target_write(target_of_story, TXTAP_RING_HOLD_ENTRIES + 3);
    target_patch_all(target_of_story);
    told(exchange(), "");
    told(exchange(), "130..132");
    cr_assert_eq(txtap_ring_held(ring_of_story), TXTAP_RING_HOLD_ENTRIES);
}

/* A late field of an allocation is 0 until the memory is there. */
static void tell_an_allocation(void)
{
    tell(64, true);
    target_write(target_of_story, 1);
    attach(TXTAP_RING_FROM_OLDEST);
    told(exchange(), "0");
    story.target.patched_id = TARGET_ALLOCATE_ID;
    story.target.patched_percent = 100;
    target_write(target_of_story, 1);
    told(exchange(), "");
    told(exchange(), "");
}

Test(ring_late, waits_for_what_is_not_written_yet)
{
    tell_an_allocation();
    told(exchange_after(TXTAP_RING_HOLD_US), "");
    told(exchange_after(TXTAP_RING_PATIENCE_US / 2), "");
    target_patch_all(target_of_story);
    told(exchange(), "");
    told(exchange_after(TXTAP_RING_HOLD_US), "1");
    cr_assert_eq(story.unsettled, 0);
}

Test(ring_late, has_patience_but_not_for_ever)
{
    struct txtap_ring_batch batch;

    tell_an_allocation();
    told(exchange_after(TXTAP_RING_PATIENCE_US - 300), "");
    story.target.now_us += 200;
    cr_assert_eq(target_exchange(target_of_story, ring_of_story, &batch), TXTAP_OK);
    cr_assert_eq(batch.count, 1);
    cr_assert_eq(batch.unsettled, 0, "that it is 0 says enough");
}

Test(ring_late, has_the_patience_that_it_is_told)
{
    struct txtap_ring_batch batch;

    tell_an_allocation();
    story.ring.patience_us = 10000;
    told(exchange_after(10000 - 300), "");
    story.target.now_us += 200;
    cr_assert_eq(target_exchange(target_of_story, ring_of_story, &batch), TXTAP_OK);
    cr_assert_eq(batch.count, 1);
}

Test(ring_late, marks_what_did_not_stay_the_same_in_time)
{
    uint8_t *word;

    tell_late_ones();
    target_write(target_of_story, 1);
    told(exchange(), "");
    told(exchange(), "");
    word = story.target.memory + (entry_word_address(130, TXTB_ENTRY_INFO + 12) - TARGET_BASE);
    for (uint64_t us = 0; us < TXTAP_RING_PATIENCE_US - 2100; us += 2100) {
        ++*word;
        told(exchange_after(2000), "");
    }
    ++*word;
    told(exchange_after(2000), "130");
    cr_assert_eq(story.unsettled, 1);
}

/* Order comes first: an event without late fields waits behind one with. */
Test(ring_late, delivers_nothing_past_an_entry_that_is_held_back)
{
    tell_late_ones();
    target_write(target_of_story, 1);
    story.target.patched_percent = 0;
    target_write(target_of_story, 4);
    told(exchange(), "");
    told(exchange(), "");
    cr_assert_eq(txtap_ring_held(ring_of_story), 5);
    story.target.patched_percent = 100;
    target_patch_all(target_of_story);
    told(exchange_after(TXTAP_RING_HOLD_US), "");
    story.target.patched_percent = 100;
}

Test(ring_late, keeps_the_clock_of_an_entry_that_stays_while_others_come)
{
    tell_late_ones();
    target_write(target_of_story, 1);
    target_patch_all(target_of_story);
    told(exchange(), "");
    told(exchange(), "");
    target_write(target_of_story, 1);
    target_patch_all(target_of_story);
    told(exchange_after(1000), "");
    told(exchange(), ""); /* 130 has waited for 1200 us, 131 is new */
    told(exchange_after(800), "130");
    cr_assert_eq(txtap_ring_held(ring_of_story), 1);
    told(exchange_after(1200), "131");
}

Test(ring_late, delivers_held_entries_as_they_were_read_when_they_are_overtaken)
{
    for (int counts = 0; counts < 2; counts++) {
        tell(64, counts);
        attach(TXTAP_RING_FROM_OLDEST);
        target_write(target_of_story, 60);
        told(exchange_until_quiet(), "0..59");
        target_write(target_of_story, 60);
        told(exchange_until_quiet(), "60..119");
        story.target.patched_percent = 100;
        target_write(target_of_story, 2);
        told(exchange(), "");
        told(exchange(), "");
        story.target.patched_percent = 0;
        target_write(target_of_story, 64 * 3 + 5);
        /* their numbers are in words that are never patched */
        if (counts)
            told(exchange_until_quiet(), "held 120..121, lost 134, 256..318");
        else
            told(exchange_until_quiet(), "held 120..121, lost 6+, 256..318");
        cr_assert_eq(story.unsettled, 2);
    }
}

Test(ring_late, delivers_some_held_entries_as_read_and_the_others_patched)
{
    tell_late_ones();
    target_write(target_of_story, 4);
    told(exchange(), "");
    told(exchange(), "");
    target_patch_all(target_of_story);
    target_write(target_of_story, 61); /* overwrites 131 at most */
    target_patch_all(target_of_story);
    told(exchange(), "");
    told(exchange(), "held 130..131, 132..178");
    cr_assert_eq(story.unsettled, 2);
}

Test(ring_late, delivers_what_is_held_at_the_end)
{
    tell_late_ones();
    target_write(target_of_story, 3);
    told(exchange(), "");
    told(exchange(), "");
    told(finish(story.ring.head), "held 130..132");
    cr_assert_eq(story.unsettled, 3);
    cr_assert_eq(txtap_ring_held(ring_of_story), 0);
    told(finish(story.ring.head), "");
}

/* A block's address lies among the words that the guard consists of. */
Test(ring_late, knows_the_guard_again_after_a_field_of_it_was_patched)
{
    tell(64, false);
    attach(TXTAP_RING_FROM_OLDEST);
    story.target.patched_id = TARGET_ALLOCATE_ID;
    story.target.patched_percent = 100;
    target_write(target_of_story, 3);
    told(exchange(), "");
    told(exchange(), "");
    target_patch_all(target_of_story); /* the guard is event 2 */
    told(exchange(), "");
    cr_assert_not(story.ring.guard_gone);
    told(exchange_after(TXTAP_RING_HOLD_US), "");
    told(exchange_after(TXTAP_RING_HOLD_US), "0..2");
}

Test(ring_late, knows_late_fields_on_every_core)
{
    tell_late_ones();
    story.target.patched_id |= 3u << 24;
    target_write(target_of_story, 3);
    told(exchange(), "");
    told(exchange(), "");
    cr_assert_eq(txtap_ring_held(ring_of_story), 3);
}

Test(ring_late, knows_the_guard_again_on_every_core)
{
    tell(64, false);
    attach(TXTAP_RING_FROM_OLDEST);
    story.target.patched_id = TARGET_ALLOCATE_ID | 1u << 24;
    story.target.patched_percent = 100;
    target_write(target_of_story, 1);
    told(exchange(), "");
    told(exchange(), "");
    target_patch_all(target_of_story);
    told(exchange(), "");
    cr_assert_not(story.ring.guard_gone);
}

Test(ring_late, holds_no_event_that_it_does_not_know)
{
    tell(64, true);
    story.target.plain_id = 3999;
    target_write(target_of_story, 5);
    attach(TXTAP_RING_FROM_OLDEST);
    told(exchange(), "0..4");
}
