/* SPDX-License-Identifier: MIT */
/* Overwritten or dropped events of the event logger: their number, and whether the number is exact. */
#include <criterion/criterion.h>

#include "ring/logger/event_logger_fixture.h"

Test(logger_loss, counts_events_that_were_overwritten_before_they_were_read)
{
    begin_following(TARGET_COUNTS, 32);
    follow_events(1, 2);
    pass_events(500, 1);
    follow_events(1, 1);
    follow_events(1, 2);
    expect_items(0, "0, lost 499, 500..502");
}

Test(logger_loss, reports_at_least_if_there_are_no_counts)
{
    begin_following(TARGET_ZEPHYR, 32);
    follow_events(1, 2);
    pass_events(501, 1);
    poll_ring(30);
    follow_events(1, 2);
    expect_items(0, "0, lost 1+, 502");
}

Test(logger_loss, reports_at_least_and_the_modulus_if_drops_are_counted_in_eight_bits)
{
    begin_following(TARGET_ZEPHYR, 32);
    follow_events(10, 2); /* ten fit */
    put_events(300, 2);
    get_all();
    follow_events(1, 2);
    expect_items(0, "0..9, lost 44+256n, 310");
}

Test(logger_loss, reports_observed_drops_that_the_header_lacks)
{
    begin_following(TARGET_ZEPHYR, 32);
    follow_events(10, 2); /* ten fit */
    for (int i = 0; i < 256; i++) {
        put_events(1, 2);
        if (i == 100)
            poll_ring(1);
    }
    target_get();
    follow_events(1, 2);
    expect_items(0, "0..9, lost 256+256n, 266");
}

static void put_at_the_first_word(void)
{
    if (fixture.reads++ == 0) { /* between the first read and the second read */
        target_put(2);
        target_put(2);
    }
}

Test(logger_loss, drops_seen_by_one_poll_are_forgotten_by_the_next)
{
    begin(TARGET_ZEPHYR, 32);
    put_events(11, 2); /* the last one is dropped */
    get_all();
    attach(TXTAP_RING_FROM_OLDEST);
    poll_ring(1);
    target.between = put_at_the_first_word;
    poll_ring(1);
    target.between = NULL;
    target_get();
    poll_ring(4);
    expect_items(0, "12"); /* no gap before event 12 */
}

Test(logger_loss, counts_more_drops_than_a_header_can_hold)
{
    begin_following(TARGET_COUNTS, 16);
    put_events(1000, 4); /* three fit */
    poll_ring(4);
    expect_items(0, "0..2");
    get_all();
    follow_events(1, 1);
    expect_items(0, "0..2, lost 997, 1000");
}

Test(logger_loss, reports_drops_of_a_full_ring_from_time_to_time_and_at_the_end)
{
    begin_following(TARGET_COUNTS, 16);
    put_events(13, 4);
    poll_ring(5);
    expect_items(0, "0..2");
    poll_ring(400); /* 1.2 s */
    expect_items(0, "0..2, lost 10");
    put_events(1, 4);
    poll_ring(5);
    finish();
    expect_items(0, "0..2, lost 10, lost 1");
    target_get();
    follow_events(1, 4);
    expect_items(0, "0..2, lost 10, lost 1, 14"); /* each loss is reported only once */
}

static void drop_one(void)
{
    target_put(4); /* into a full ring */
}

Test(logger_loss, reports_drops_at_the_end_although_more_happen_meanwhile)
{
    begin(TARGET_COUNTS, 16);
    put_events(3, 4);
    attach(TXTAP_RING_FROM_OLDEST);
    poll_ring(4);
    expect_items(0, "0..2");
    target.between = drop_one;
    poll_ring(2);
    expect_items(0, "0..2");
    finish();
    cr_assert_eq(fixture.count, 4);
    cr_assert_not(fixture.items[3].exact);
    cr_assert(fixture.items[3].lost > 0 && fixture.items[3].lost <= target.numbers - 3);
}
