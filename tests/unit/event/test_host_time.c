/* SPDX-License-Identifier: MIT */
/*
 * Ticks from the host's clock, in simulated time. The target's counter may drift. The reader polls from time to time,
 * and knows only that an event was written between two polls.
 */
#include "txtap/inner/host_time.h"
#include "sanitized.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS (40 / RUNS_DIVISOR)

static struct {
    struct txtap_host_time time;
    struct txtap_clock clock;
    unsigned seed;
    double hz, wander, wander_us; /* the rate is hz * (1 + wander * sin(2 pi t / wander_us)) */
    double now_us;                /* current time, for target and host */
    double look_us;               /* time of the reader's last poll */
    uint64_t period, first;       /* first: value of the counter at the first event */
    bool begun, down;
    double error; /* how far the last event's ticks are wrong */
} fixture;

static double random_unit(void)
{
    fixture.seed = fixture.seed * 1664525u + 1013904223u;
    return (double)(fixture.seed >> 8) / (double)(1u << 24);
}

/* Returns the counter's value at a time, which is the integral of the rate. */
static uint64_t counter_at(double us)
{
    double wave = fixture.wander_us / (2 * M_PI);
    double seconds = (us + fixture.wander * wave * (1 - cos(us / wave))) / 1e6;

    return (uint64_t)(fixture.hz * seconds);
}

static double rate_at(double us)
{
    return fixture.hz * (1 + fixture.wander * sin(us / fixture.wander_us * 2 * M_PI));
}

static void set_up(unsigned seed, double hz, unsigned bits, double given_hz)
{
    memset(&fixture, 0, sizeof fixture);
    fixture.seed = seed * 7919u + 1;
    fixture.hz = hz;
    fixture.wander_us = 3600e6;
    fixture.now_us = fixture.look_us = 5e6 + 100e6 * random_unit();
    fixture.period = UINT64_C(1) << bits;
    txtap_clock_init(&fixture.clock, (uint32_t)(fixture.period - 1));
    txtap_host_time_init(&fixture.time, given_hz);
}

/* Writes `count` events, the first of them now. A poll a little later reads all of them. */
static void events(unsigned count, double spacing_us, double look_after_us)
{
    double times[64];
    uint64_t last_host = 0, host;
    double after;

    cr_assert_leq(count, 64);
    for (unsigned i = 0; i < count; i++) {
        times[i] = fixture.now_us;
        fixture.now_us += i + 1 < count ? spacing_us : 0;
    }
    after = fixture.now_us + look_after_us;
    txtap_host_time_window(&fixture.time, (uint64_t)fixture.look_us, (uint64_t)after + 1);
    for (unsigned i = 0; i < count; i++) {
        uint64_t counter = counter_at(times[i]);
        uint32_t stamp =
            (uint32_t)((fixture.down ? fixture.period - 1 - counter % fixture.period : counter) % fixture.period);
        uint64_t ticks = txtap_host_time_unwrap(&fixture.time, &fixture.clock, stamp);

        if (!fixture.begun)
            fixture.first = counter;
        fixture.begun = true;
        fixture.error = (double)ticks - (double)(counter - fixture.first);
        if (fixture.look_us == 0) /* the event was written before the first poll */
            continue;
        cr_assert(txtap_host_time_last_us(&fixture.time, &host));
        cr_assert_geq(host, last_host);
        cr_assert((double)host >= fixture.look_us - 21 && (double)host <= after + 2);
        last_host = host;
    }
    fixture.now_us = fixture.look_us = after;
}

/* Runs for at least a second: one or a few events every few milliseconds, and a poll every 1 to 20 ms. */
static void live(double seconds)
{
    double end = fixture.now_us + seconds * 1e6;

    while (fixture.now_us < end) {
        double pause = 1000 + 19000 * random_unit();

        while (random_unit() < 0.3) { /* these polls find no event */
            fixture.look_us = fixture.now_us + 500 * random_unit();
            fixture.now_us = fixture.look_us + 1000;
        }
        fixture.now_us += pause * random_unit();
        events(1 + (unsigned)(4 * random_unit()), 50 + 300 * random_unit(), pause * random_unit());
    }
}

/* The target writes nothing, but polls continue, at most 40 ms apart. */
static void silence(double seconds)
{
    fixture.now_us += seconds * 1e6;
    fixture.look_us = fixture.now_us - 40000 * random_unit();
}

static void assert_rate_is_true(const char *when)
{
    double low, high, rate = rate_at(fixture.now_us);

    if (txtap_host_time_rate(&fixture.time, &low, &high))
        cr_assert(low <= rate && rate <= high, "%s, seed %u: %.9g is not in %.9g..%.9g", when, fixture.seed, rate, low,
                  high);
}

static void assert_ticks_are_right(const char *when)
{
    cr_assert_eq(fixture.error, 0, "%s, seed %u: off by %g ticks", when, fixture.seed, fixture.error);
}

static void assert_known_to(double share)
{
    double low, high;

    cr_assert(txtap_host_time_rate(&fixture.time, &low, &high));
    cr_assert_leq((high - low) / 2 / high, share, "known to %g", (high - low) / 2 / high);
}

/* ---- silences ---- */

static void ten_minutes_of_silence(double hz, double wander, double given_hz)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        set_up(seed, hz, 16, given_hz);
        fixture.wander = wander;
        live(30);
        assert_rate_is_true("before");
        assert_ticks_are_right("before");
        silence(600);
        live(1);
        assert_ticks_are_right("after");
        assert_rate_is_true("after");
    }
}

Test(host_time, a_16_bit_counter_at_32768_hz_outlives_ten_minutes_of_silence)
{
    ten_minutes_of_silence(32768, 0, 0);
    cr_assert_not(txtap_host_time_doubtful(&fixture.time, &fixture.clock));
}

Test(host_time, a_counter_whose_crystal_drifts_outlives_it_too)
{
    ten_minutes_of_silence(32768 * 1.000037, 50e-6, 0);
}

Test(host_time, a_counter_at_1_mhz_outlives_it_too)
{
    ten_minutes_of_silence(1e6 * 0.99995, 0, 0);
    assert_known_to(50e-6);
}

Test(host_time, a_given_rate_is_not_measured)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        set_up(seed, 32768 * 1.00005, 16, 32768);
        live(0.2);
        silence(600);
        live(0.2);
        assert_ticks_are_right("after");
    }
}

Test(host_time, counts_down_as_well_as_up)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        set_up(seed, 32768, 16, 0);
        fixture.down = fixture.clock.down = true;
        live(20);
        silence(600);
        live(1);
        assert_ticks_are_right("after");
        assert_rate_is_true("after");
    }
}

Test(host_time, knows_a_counter_of_nanoseconds_by_its_wraps)
{
    set_up(1, 1e9 * 0.9999, 32, 0);
    fixture.period = 1000000000;
    live(10);
    assert_rate_is_true("before");
    silence(600);
    live(1);
    assert_ticks_are_right("after");
    cr_assert(txtap_clock_notices(&fixture.clock) & TXTAP_CLOCK_NANOSECONDS);
}

/* Ten hours at 1 MHz: the rate is never known exactly enough. Whether the result is right or wrong, it must not be
 * reported as certain. */
Test(host_time, reports_that_several_counts_of_periods_fit)
{
    set_up(3, 1e6, 16, 0);
    live(30);
    cr_assert_not(txtap_host_time_doubtful(&fixture.time, &fixture.clock));
    silence(36000);
    live(1);
    cr_assert(txtap_host_time_doubtful(&fixture.time, &fixture.clock));
}

Test(host_time, a_silence_before_the_rate_is_known_is_doubtful)
{
    set_up(4, 168e6, 32, 0);
    events(1, 0, 1000);
    silence(60);
    events(1, 0, 1000);
    cr_assert(txtap_host_time_doubtful(&fixture.time, &fixture.clock));
}

/* A crystal with a larger error than the reader assumes: 0.3 s in ten minutes. The nearest count is still right. */
Test(host_time, takes_the_nearest_count_if_none_fits)
{
    set_up(12, 32768 * 1.0005, 16, 32768);
    live(1);
    silence(600);
    live(1);
    assert_ticks_are_right("after");
    cr_assert(txtap_host_time_doubtful(&fixture.time, &fixture.clock));
}

/* ---- polls that are less frequent than the counter's period ---- */

/* Checks that the ticks are possible. The last event's time must be within its window. The first event's time is known
 * to a few milliseconds. */
static void assert_ticks_are_possible(double window_us, const char *when)
{
    double slack = 0.03e6 + 300e-6 * (fixture.now_us - 5e6);

    cr_assert(fabs(fixture.error) / fixture.hz * 1e6 <= window_us + slack,
              "%s, seed %u: off by %g us, in a window of %g us", when, fixture.seed, fixture.error / fixture.hz * 1e6,
              window_us);
}

/* Runs with rare polls, one every 0 to 300 ms. Events come at least every few milliseconds, or in bursts. */
static void seldom_looked_at(double seconds)
{
    double end = fixture.now_us + seconds * 1e6;

    while (fixture.now_us < end) {
        double before = fixture.look_us;

        fixture.now_us += random_unit() < 0.5 ? 100000 * random_unit() : 3000 * random_unit();
        events(1 + (unsigned)(20 * random_unit()), 10 + 5000 * random_unit(), 150000 * random_unit());
        assert_ticks_are_possible(fixture.look_us - before, "seldom looked at");
    }
}

static void survives_looks_that_are_far_apart(double hz, unsigned bits, bool given)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        set_up(seed + 500, hz, bits, given ? hz : 0);
        live(given ? 0.1 : 30);
        assert_ticks_are_right("before");
        seldom_looked_at(60);
        assert_rate_is_true("afterwards");
        live(1);
        assert_ticks_are_right("once polls are close again");
    }
}

Test(host_time, time_never_leaves_the_window_however_far_apart_the_polls_are)
{
    survives_looks_that_are_far_apart(1e6, 16, true);
    survives_looks_that_are_far_apart(1e6 * 1.00003, 16, false);
    survives_looks_that_are_far_apart(32768, 16, false);
    survives_looks_that_are_far_apart(84e6, 24, true);
    survives_looks_that_are_far_apart(84e6, 24, false);
    survives_looks_that_are_far_apart(168e6, 32, false);
}

/* Several events are read together, and several distances between them are possible. The shortest is right. */
Test(host_time, a_batch_is_not_stretched_over_its_window)
{
    set_up(7, 1e6, 16, 1e6);
    live(1);
    for (int i = 0; i < 300; i++) {
        double before;

        events(1, 0, 100);
        before = fixture.error;
        fixture.now_us += 1000;
        events(8, 27, 90000);
        cr_assert_eq(fixture.error, before, "look %d: stretched by %g ticks", i, fixture.error - before);
    }
}

/* ---- the rate ---- */

Test(host_time, the_true_rate_is_always_in_the_interval)
{
    static const double rates[] = {32768, 1e6, 100, 84e6, 168e6, 480e6};

    for (unsigned seed = 0; seed < SEEDS; seed++) {
        bool narrow = seed % 2 == 0;
        double hz = narrow ? rates[seed / 2 % 2] : rates[seed / 2 % 6];

        set_up(seed + 100, hz * (1 + 1e-4 * (random_unit() - 0.5)), narrow ? 16 : 32, 0);
        fixture.wander = seed % 3 == 0 ? 50e-6 : 0;
        for (int i = 0; i < 300; i++) {
            live(0.5);
            assert_rate_is_true("while it is measured");
        }
        assert_ticks_are_right("at the end");
        assert_known_to(hz < 1000 ? 1e-3 : 200e-6); /* at a low rate one tick takes long */
    }
}

/* The host stalls: up to 0.9 s pass between the polls before and after an event. */
Test(host_time, the_true_rate_is_in_the_interval_however_slow_the_host_is)
{
    static const double rates[] = {32768, 1e6, 84e6, 168e6};
    bool measured = false;

    for (unsigned seed = 0; seed < SEEDS; seed++) {
        set_up(seed + 500, rates[seed % 4] * (1 + 1e-4 * (random_unit() - 0.5)), 32, 0);
        fixture.wander = seed % 2 == 0 ? 50e-6 : 0;
        for (int i = 0; i < 200; i++) {
            double low, high;

            fixture.now_us += 3e6 * random_unit() * random_unit();
            fixture.look_us = fixture.now_us - 700e3 * random_unit();
            events(1 + (unsigned)(4 * random_unit()), 50 + 300 * random_unit(), 200e3 * random_unit());
            assert_rate_is_true("on a slow host");
            measured = txtap_host_time_rate(&fixture.time, &low, &high) || measured;
            cr_assert(txtap_host_time_rate_seconds(&fixture.time) * 1e6 <= fixture.now_us);
        }
    }
    cr_assert(measured, "no rate became known");
}

Test(host_time, a_flood_is_measured_too)
{
    set_up(5, 168e6, 32, 0);
    for (int i = 0; i < 20000; i++) {
        fixture.now_us += 10;
        events(64, 10, 5);
    }
    assert_rate_is_true("in a flood");
    assert_ticks_are_right("in a flood");
    assert_known_to(100e-6);
}

/* Events are half a second apart, and the counter wraps every 65 ms. The first ticks cannot be known, but later ticks
 * can. */
Test(host_time, counts_correctly_although_the_counter_wraps_between_all_events)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        set_up(seed, 1e6 * (1 + 1e-4 * (random_unit() - 0.5)), 16, 0);
        for (int i = 0; i < 200; i++) {
            fixture.now_us += 1000000 * random_unit();
            fixture.look_us = fixture.now_us - 5000 * random_unit();
            events(1, 0, 5000 * random_unit());
            assert_rate_is_true("while it is measured");
        }
        assert_ticks_are_right("in the end");
    }
}

/* Polls are 40 ms apart, and the counter wraps every 6.5 ms. Any rate is possible, so no rate may be shown. */
Test(host_time, does_not_invent_a_rate)
{
    double low, high;

    for (unsigned seed = 0; seed < SEEDS; seed++) {
        set_up(seed, 10e6, 16, 0);
        for (int i = 0; i < 1000; i++) {
            fixture.now_us += 100000 * random_unit();
            fixture.look_us = fixture.now_us - 20000;
            events(1, 0, 20000);
            cr_assert_not(txtap_host_time_rate(&fixture.time, &low, &high), "seed %u: %g to %g", seed, low, high);
        }
        cr_assert(txtap_host_time_doubtful(&fixture.time, &fixture.clock));
    }
}

/*
 * Events are 140 ms apart. They look like events of a counter that is 15 times slower. Either no rate or the right rate
 * must be reported.
 */
Test(host_time, equal_distances_that_are_longer_than_the_period_do_not_deceive)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        set_up(seed, 1e6, 16, 0);
        for (int i = 0; i < 100; i++) {
            fixture.now_us += 140000 + 1234 * (seed % 8);
            fixture.look_us = fixture.now_us - 5000 * random_unit();
            events(3, 20, 5000 * random_unit());
            fixture.now_us -= fmod(fixture.now_us, 140000 + 1234 * (seed % 8));
            assert_rate_is_true("while it is measured");
        }
    }
}

/*
 * The target may stand still after it has read an event's stamp and before it stores the event: for example an emulator
 * that its host does not schedule. Every tenth event is late by up to 30 ms.
 */
Test(host_time, late_events_do_not_move_the_rate)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        set_up(seed, 16e6, 32, 0);
        for (int i = 0; i < 2000; i++) {
            double stood = random_unit() < 0.1 ? 30000 * random_unit() : 0;

            fixture.now_us += 3000 + 4000 * random_unit();
            fixture.look_us = fixture.now_us + stood - 500 * random_unit();
            events(1, 0, stood + 100);
            fixture.now_us += 10;
            events(2, 10, 500);
            assert_rate_is_true("while it is measured");
        }
        assert_known_to(1e-3);
    }
}

/* The clock changes, as with new firmware. The old rate must be dropped and the new rate measured. */
Test(host_time, a_rate_that_changed_is_measured_again)
{
    set_up(6, 168e6, 32, 0);
    live(20);
    assert_rate_is_true("before");
    fixture.hz = 84e6;
    txtap_host_time_restart(&fixture.time, &fixture.clock, UINT32_MAX);
    live(60);
    assert_rate_is_true("after");
    assert_known_to(200e-6);
}

Test(host_time, stamps_that_stand_still_have_no_rate)
{
    double low, high;

    set_up(7, 1e-9, 32, 0);
    live(20);
    cr_assert_not(txtap_host_time_rate(&fixture.time, &low, &high));
    cr_assert_eq(low, 0);
    cr_assert_eq(high, 0);
    cr_assert_eq(fixture.clock.ticks, 0);
}

/* ---- the beginning, a reset, no host ---- */

/* For events that were in the ring at the start, only the latest possible time is known. If the given rate is a little
 * too high, this must not add a period. */
Test(host_time, a_wrong_given_rate_moves_nothing_at_the_beginning)
{
    static const double given[] = {1e6, 1.01e6, 1.1e6, 10e6};

    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            set_up(seed, 1e6, 32, given[i]);
            fixture.look_us = 0;
            events(1 + seed % 8, 100, 1000);
            fixture.now_us += 100e6 * random_unit();
            fixture.look_us = fixture.now_us - 1000;
            events(1, 0, 1000);
            assert_ticks_are_right("after the first poll");
            live(1);
            assert_ticks_are_right("later");
        }
}

Test(host_time, without_a_window_ticks_are_those_of_the_clock)
{
    struct txtap_clock alone;
    uint64_t host;

    set_up(8, 1e6, 16, 1e6);
    txtap_clock_init(&alone, 0xFFFF);
    for (int i = 0; i < 1000; i++) {
        uint32_t stamp = (uint32_t)(random_unit() * 65536);

        cr_assert_eq(txtap_host_time_unwrap(&fixture.time, &fixture.clock, stamp), txtap_clock_unwrap(&alone, stamp));
    }
    cr_assert_not(txtap_host_time_last_us(&fixture.time, &host));
}

Test(host_time, events_older_than_the_reader_have_no_time)
{
    uint64_t host;

    set_up(9, 1e6, 32, 1e6);
    txtap_host_time_window(&fixture.time, 0, 1000000);
    (void)txtap_host_time_unwrap(&fixture.time, &fixture.clock, 5);
    cr_assert_not(txtap_host_time_last_us(&fixture.time, &host));
    txtap_host_time_window(&fixture.time, 1500000, 1600000);
    cr_assert_eq(txtap_host_time_unwrap(&fixture.time, &fixture.clock, 600005), 600000);
    cr_assert(txtap_host_time_last_us(&fixture.time, &host));
    cr_assert(host >= 1499980 && host <= 1600000);
}

/* The second stamp contradicts everything known. Only this is certain: its event was written after the first. */
Test(host_time, once_an_event_has_a_time_all_later_events_have_a_time)
{
    uint64_t before, host;

    set_up(9, 1e6, 32, 1e6);
    txtap_host_time_window(&fixture.time, 1000000, 1001000);
    (void)txtap_host_time_unwrap(&fixture.time, &fixture.clock, 5);
    cr_assert(txtap_host_time_last_us(&fixture.time, &before));
    txtap_host_time_window(&fixture.time, 0, 1002000);
    (void)txtap_host_time_unwrap(&fixture.time, &fixture.clock, 500005);
    cr_assert(txtap_host_time_last_us(&fixture.time, &host));
    cr_assert(host >= before && host <= 1002000);
}

Test(host_time, between_events_older_than_the_reader_only_certain_periods_count)
{
    set_up(9, 1e6, 16, 1e6);
    txtap_host_time_window(&fixture.time, 0, 1000000);
    (void)txtap_host_time_unwrap(&fixture.time, &fixture.clock, 0);
    txtap_host_time_window(&fixture.time, 1000000 + 655360, 1000000 + 660000);
    cr_assert_eq(txtap_host_time_unwrap(&fixture.time, &fixture.clock, 100), 655360 + 100);
}

Test(host_time, time_continues_by_the_hosts_clock_across_a_reset)
{
    uint64_t before, after;

    set_up(10, 1e6, 32, 1e6);
    live(2);
    before = fixture.clock.ticks;
    txtap_host_time_restart(&fixture.time, &fixture.clock, UINT32_MAX);
    fixture.now_us += 3e6;
    fixture.look_us = fixture.now_us - 1000;
    txtap_host_time_window(&fixture.time, (uint64_t)fixture.look_us, (uint64_t)fixture.now_us);
    after = txtap_host_time_unwrap(&fixture.time, &fixture.clock, 17);
    cr_assert(after - before > 2950000 && after - before < 3050000, "%lu", (unsigned long)(after - before));
    txtap_host_time_window(&fixture.time, (uint64_t)fixture.now_us, (uint64_t)fixture.now_us + 2000);
    cr_assert_eq(txtap_host_time_unwrap(&fixture.time, &fixture.clock, 117), after + 100);
}

Test(host_time, a_reset_before_the_rate_is_known_takes_no_time)
{
    set_up(11, 1e6, 32, 0);
    events(1, 0, 100);
    txtap_host_time_restart(&fixture.time, &fixture.clock, UINT32_MAX);
    txtap_host_time_window(&fixture.time, (uint64_t)fixture.now_us + 1000000, (uint64_t)fixture.now_us + 1000100);
    cr_assert_eq(txtap_host_time_unwrap(&fixture.time, &fixture.clock, 99), 0);
}
