/* SPDX-License-Identifier: MIT */
/* Losses that cannot be seen: the poller must report the places where they are possible, and no other places. */
#include <criterion/criterion.h>

#include "stream/fixtures/poller_fixture.h"

static void lap_after_lap(unsigned laps)
{
    for (unsigned i = 0; i < laps; i++) {
        write_events(ENTRIES);
        fixture.reads = 0;
        steps(3);
    }
}

static void drain(void)
{
    cr_assert_eq(poller_drain(&fixture.poller, 200000, &fixture.error), TXTAP_OK);
}

static void open_plain(bool still, unsigned written, enum txtap_ring_from from)
{
    set_up();
    fixture.plain = true;
    fixture.still = still;
    write_events(written);
    cr_assert_eq(try_open(from), TXTAP_OK);
}

Test(poller_unseen, bursts_of_exactly_one_ring_are_reported_as_unsure)
{
    for (unsigned before = 1; before <= 3 * ENTRIES; before++) {
        open_plain(true, before, TXTAP_RING_FROM_OLDEST);
        steps(5);
        lap_after_lap(20);
        cr_assert_lt(fixture.taken_count + fixture.lost, before + 20 * ENTRIES, "they cannot be seen");
        drain();
        cr_assert(fixture.poller.stats.unseen, "%u written before", before);
        cr_assert_not(fixture.poller.stats.lost_exact);
        close_poller();
    }
}

Test(poller_unseen, no_gap_is_exact_while_stamps_stand_still)
{
    open_plain(true, 2 * ENTRIES, TXTAP_RING_FROM_OLDEST);
    steps(5);
    for (unsigned i = 0; i < 300; i++) {
        fixture.write_during_reads = i % (2 * ENTRIES);
        fixture.reads = 0;
        (void)step();
    }
    cr_assert_gt(fixture.gaps, 3);
    cr_assert_eq(fixture.exact_gaps, 0);
    cr_assert(fixture.poller.stats.unseen);
    close_poller();
}

Test(poller_unseen, moving_stamps_make_losses_visible)
{
    for (unsigned before = 0; before <= 2 * ENTRIES; before++) {
        open_plain(false, before, TXTAP_RING_FROM_OLDEST);
        steps(5);
        for (unsigned i = 0; i < 20; i++) {
            write_events(ENTRIES / 3);
            steps(2);
        }
        drain();
        cr_assert_not(fixture.poller.stats.unseen, "%u written before", before);
        cr_assert(fixture.poller.stats.lost_exact);
        close_poller();
    }
}

Test(poller_unseen, a_lap_counter_makes_losses_visible)
{
    for (unsigned before = 1; before <= 3 * ENTRIES; before++) {
        set_up();
        fixture.still = true;
        write_events(before);
        cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
        steps(5);
        lap_after_lap(before % 5);
        drain();
        cr_assert_not(fixture.poller.stats.unseen, "%u written before", before);
        cr_assert(fixture.poller.stats.lost_exact);
        cr_assert_eq(fixture.exact_gaps, fixture.gaps);
        close_poller();
    }
}

Test(poller_unseen, a_ring_that_was_never_full_has_no_unseen_losses)
{
    open_plain(true, 10, TXTAP_RING_FROM_OLDEST);
    steps(5);
    for (unsigned i = 0; i < ENTRIES - 12; i++) {
        write_events(1);
        steps(1);
    }
    drain();
    cr_assert_not(fixture.poller.stats.unseen, "its last slot is empty");
    cr_assert_eq(fixture.taken_count, ENTRIES - 2);
    close_poller();
}

Test(poller_unseen, without_new_events_the_ring_shows_whether_its_clock_runs)
{
    for (int still = 0; still < 2; still++) {
        open_plain(still, 3 * ENTRIES / 2, TXTAP_RING_FROM_NOW);
        steps(20);
        drain();
        cr_assert_eq(fixture.taken_count, 0);
        cr_assert_eq(fixture.poller.stats.unseen, still);
        close_poller();
    }
    open_plain(true, 0, TXTAP_RING_FROM_NOW);
    steps(20);
    drain();
    cr_assert_not(fixture.poller.stats.unseen, "nothing was ever written");
    close_poller();
}

Test(poller_unseen, a_clock_that_stops_later_is_noticed_and_one_that_runs_again_is_trusted)
{
    open_plain(false, 2 * ENTRIES, TXTAP_RING_FROM_OLDEST);
    steps(5);
    fixture.still = true;
    for (unsigned i = 0; i < ENTRIES; i++) {
        cr_assert_not(fixture.poller.stats.unseen && i < ENTRIES / 2);
        write_events(1);
        fixture.reads = 0;
        steps(1);
    }
    cr_assert(fixture.poller.stats.unseen);
    fixture.still = false;
    write_events(2);
    steps(3);
    cr_assert_eq(stamps_seen_clock(&fixture.poller.batch.seen, ENTRIES), STAMP_CLOCK_RUNS);
    cr_assert(fixture.poller.stats.unseen, "the past stays unsure");
    close_poller();
}
