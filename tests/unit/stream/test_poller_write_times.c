/* SPDX-License-Identifier: MIT */
/* The times at which events were written, as reported to the sink. They must be correct and narrow, even after gaps. */
#include <criterion/criterion.h>

#include "stream/fixtures/poller_fixture.h"
#include "sanitized.h"
#include "txtap/inner/host_time.h"

/* Makes a run. After every `fall_behind` polls the target once writes more events than fit into the ring. */
static void live_timed(unsigned polls, bool plain, unsigned write_during_reads, unsigned fall_behind)
{
    open_poller();
    fixture.timed = true;
    fixture.plain = plain;
    for (unsigned i = 0; i < polls; i++) {
        write_timed(i * 7 % 4, 97);
        if (fall_behind > 0 && i % fall_behind == 0)
            write_timed(ENTRIES + i % (2 * ENTRIES), 50);
        fixture.write_during_reads = i % 3 == 0 ? write_during_reads : 0;
        fixture.reads = 0;
        fixture.read_us = 10 + i * 13 % 400;
        cr_assert_eq(step(), TXTAP_OK);
    }
    fixture.write_during_reads = 0;
    cr_assert_eq(poller_drain(&fixture.poller, 200000, &fixture.error), TXTAP_OK);
    close_poller();
}

Test(poller_write_times, every_event_was_written_in_its_window)
{
    for (int plain = 0; plain < 2; plain++) {
        live_timed(3000, plain, 0, 0);
        cr_assert_gt(fixture.taken_count, 4000);
        cr_assert_eq(fixture.lost, 0);
        cr_assert(fixture.widest_us > 0 && fixture.widest_us < 45000, "%lu", (unsigned long)fixture.widest_us);
        live_timed(3000, plain, 1, 0);
        cr_assert_eq(fixture.lost, 0);
    }
}

Test(poller_write_times, estimates_the_events_in_a_gap_of_unknown_size)
{
    open_poller();
    fixture.plain = true;
    for (int i = 0; i < 40; i++) {
        write_timed(3, 1000);
        steps(1);
    }
    cr_assert_eq(fixture.lost, 0);
    for (unsigned laps = 1; laps < 6; laps++) {
        uint64_t lost = fixture.lost, estimate = fixture.poller.stats.lost_estimate, really;

        write_timed(laps * ENTRIES + 5, 1000);
        steps(2);
        write_timed(20, 1000);
        steps(10);
        cr_assert_gt(fixture.lost, lost);
        cr_assert_lt(fixture.lost - lost, ENTRIES + 5);
        estimate = fixture.poller.stats.lost_estimate - estimate;
        really = fixture.lost - lost + (laps - 1) * ENTRIES;
        cr_assert(fixture.last_gap.estimate == 0 || (really <= 2 * estimate && estimate <= 2 * really), "%u laps: %lu",
                  laps, (unsigned long)estimate);
    }
    close_poller();
}

Test(poller_write_times, stamps_tell_the_rate_of_a_target_that_is_too_fast)
{
    open_poller();
    fixture.plain = true;
    fixture.read_us = 1; /* short, so that the target writes nothing during a read */
    for (int i = 0; i < 200; i++) {
        write_timed(ENTRIES / 2 + (i % 2 == 0 ? 0 : 9 * ENTRIES), 10);
        fixture.reads = 0;
        for (int k = 0; k < 4; k++)
            cr_assert_eq(poller_step(&fixture.poller, &fixture.error), TXTAP_OK);
    }
    cr_assert(!fixture.poller.stats.lost_exact);
    cr_assert_float_eq(stream_stats_estimate(&fixture.poller.stats, 1000), 100000, 5000, "%.0f",
                       fixture.poller.stats.rate_by_stamps);
    cr_assert_eq(stream_stats_estimate(&fixture.poller.stats, 200000), 0, "it is not below what is certain");
    close_poller();
    open_poller();
    fixture.plain = fixture.still = true;
    for (int i = 0; i < 200; i++) {
        write_events(7 * ENTRIES / 2);
        fixture.reads = 0;
        steps(2);
    }
    cr_assert_eq(fixture.poller.stats.rate_by_stamps, 0);
    close_poller();
}

/*
 * Measures the rate of the target's clock. It counts at 1 MHz, but each poll stops the target and its clock, while the
 * host's clock continues. stops: the source reports these stops to the poller.
 */
static bool measure(bool stops, double *low, double *high)
{
    set_up();
    fixture.stops = stops;
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    for (int i = 0; i < 500; i++) {
        write_timed(5, 2000);
        fixture.read_us = 200 + (unsigned)i % 7 * 50;
        fixture.stopped_us += stops ? 0 : fixture.read_us; /* a stop that is not reported */
        fixture.reads = 0;
        cr_assert_eq(poller_step(&fixture.poller, &fixture.error), TXTAP_OK);
    }
    return txtap_host_time_rate(&fixture.poller.maker.host_time, low, high);
}

Test(poller_write_times, no_rate_is_measured_of_a_target_that_stops_while_it_is_read)
{
    double low, high;

    cr_assert(measure(false, &low, &high));
    cr_assert_lt(high, 1e6, "that is why: %.0f..%.0f", low, high);
    close_poller();
    cr_assert_not(measure(true, &low, &high));
    close_poller();
}

Test(poller_write_times, every_event_after_a_gap_was_written_in_its_window)
{
    for (int plain = 0; plain < 2; plain++) {
        live_timed(3000, plain, 0, 50);
        cr_assert_gt(fixture.lost, 1000);
        for (unsigned many = 1; many < ENTRIES; many++)
            live_timed(1000 / RUNS_DIVISOR, plain, many, many % 2 * 7);
    }
}
