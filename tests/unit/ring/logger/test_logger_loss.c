/* SPDX-License-Identifier: MIT */
/* Events of the event logger that were overwritten or dropped: how many, and whether the number is exact. */
#include <criterion/criterion.h>

#include "ring/logger/event_logger_fixture.h"

Test(logger_loss, counts_what_was_overwritten_unseen)
{
    begin_following(TARGET_COUNTS, 32);
    follow_events(1, 2);
    pass_events(500, 1);
    follow_events(1, 1);
    follow_events(1, 2);
    expect_event(0, 0, 0);
    expect_gap(1, 1, fixture.items[1].lost, true);
    cr_assert_gt(fixture.items[1].lost, 450);
    for (size_t i = 2; i < fixture.count; i++) /* what is still in the ring, and new events */
        expect_event(i, fixture.items[1].lost + i - 1, fixture.items[1].lost + i - 1);
    cr_assert_eq(fixture.items[fixture.count - 1].seq, 502);
}

Test(logger_loss, says_at_least_if_nothing_counts)
{
    begin_following(TARGET_ZEPHYR, 32);
    follow_events(1, 2);
    pass_events(501, 1);
    poll_ring(30);
    follow_events(1, 2);
    cr_assert_eq(fixture.count, 3, "%zu items", fixture.count);
    expect_event(0, 0, 0);
    expect_gap(1, 1, 1, false);
    cr_assert_eq(fixture.items[1].lap, 1, "it may be larger by any number");
    expect_event(2, 2, 502);
}

Test(logger_loss, says_at_least_and_the_modulus_if_drops_are_counted_in_eight_bits)
{
    size_t last;

    begin_following(TARGET_ZEPHYR, 32);
    follow_events(10, 2); /* ten fit */
    put_events(300, 2);
    get_all();
    follow_events(1, 2);
    cr_assert_geq(fixture.count, 2);
    last = fixture.count - 1;
    expect_gap(last - 1, fixture.items[last].seq - 300 % 256, 300 % 256, false);
    cr_assert_eq(fixture.items[last - 1].lap, 256);
    expect_event(last, fixture.items[last].seq, 310);
}

Test(logger_loss, reports_drops_that_it_saw_though_the_header_has_none)
{
    begin_following(TARGET_ZEPHYR, 32);
    follow_events(10, 2); /* ten fit */
    for (int i = 0; i < 256; i++) {
        put_events(1, 2);
        if (i == 100)
            poll_ring(1);
    }
    logger_target_get(&fixture.target);
    follow_events(1, 2);
    cr_assert_eq(fixture.count, 12);
    expect_gap(10, 10, 256, false);
    cr_assert_eq(fixture.items[10].lap, 256);
    expect_event(11, 266, 266);
}

static void put_at_the_first_word(struct logger_target *target)
{
    if (fixture.reads++ == 0) { /* after the first read, before the second */
        logger_target_put(target, 2);
        logger_target_put(target, 2);
    }
}

Test(logger_loss, drops_seen_by_one_poll_are_forgotten_by_the_next)
{
    begin(TARGET_ZEPHYR, 32);
    put_events(11, 2); /* the last one is dropped */
    get_all();
    attach(TXTAP_RING_FROM_OLDEST);
    poll_ring(1);
    fixture.target.between = put_at_the_first_word;
    poll_ring(1);
    fixture.target.between = NULL;
    logger_target_get(&fixture.target);
    poll_ring(4);
    for (size_t i = 0; i < fixture.count; i++)
        cr_expect_eq(fixture.items[i].lost, 0, "item %zu: %lu lost", i, (unsigned long)fixture.items[i].lost);
    expect_event(fixture.count - 1, fixture.count - 1, 12);
}

Test(logger_loss, counts_more_drops_than_a_header_can_hold)
{
    begin_following(TARGET_COUNTS, 16);
    put_events(1000, 4); /* three fit */
    poll_ring(4);
    cr_assert_eq(fixture.count, 3);
    get_all();
    follow_events(1, 1);
    cr_assert_eq(fixture.count, 5);
    expect_gap(3, 3, 997, true);
    expect_event(4, 1000, 1000);
}

Test(logger_loss, reports_drops_of_a_full_ring_now_and_then_and_at_the_end)
{
    begin_following(TARGET_COUNTS, 16);
    put_events(13, 4);
    poll_ring(5);
    cr_assert_eq(fixture.count, 3);
    poll_ring(400); /* 1.2 s */
    cr_assert_eq(fixture.count, 4);
    expect_gap(3, 3, 10, true);
    put_events(1, 4);
    poll_ring(5);
    txtap_logger_finish(&fixture.ring, fixture.inside.head.position);
    take_items();
    cr_assert_eq(fixture.count, 5);
    expect_gap(4, 13, 1, true);
    logger_target_get(&fixture.target);
    follow_events(1, 4);
    cr_assert_eq(fixture.count, 6, "nothing is reported twice");
    expect_event(5, 14, 14);
}

static void drop_one(struct logger_target *target)
{
    logger_target_put(target, 4); /* into a full ring */
}

Test(logger_loss, reports_drops_at_the_end_although_more_happen_meanwhile)
{
    begin(TARGET_COUNTS, 16);
    put_events(3, 4);
    attach(TXTAP_RING_FROM_OLDEST);
    poll_ring(4);
    cr_assert_eq(fixture.count, 3);
    fixture.target.between = drop_one;
    poll_ring(2);
    cr_assert_eq(fixture.count, 3);
    txtap_logger_finish(&fixture.ring, fixture.inside.head.position);
    take_items();
    cr_assert_eq(fixture.count, 4);
    cr_assert_not(fixture.items[3].exact);
    cr_assert(fixture.items[3].lost > 0 && fixture.items[3].lost <= fixture.target.numbers - 3);
}
