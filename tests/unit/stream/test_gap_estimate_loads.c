/* SPDX-License-Identifier: MIT */
/* Estimates of gaps in a ring without a lap count, under many random loads. Each estimate must be right within a factor
 * of two; otherwise there must be no estimate. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "stream/fixtures/poller_fixture.h"
#include "sanitized.h"
#include "seeds.h"

enum load {
    STEADY,
    FLOODS,
    FLOODS_AND_SILENCES,
    ONE_SILENCE,
    BURSTS,  /* one in fifty events begins a burst */
    CHANGES, /* the rate changes about as often as gaps occur */
    STOPS,   /* a flood that stops from time to time, for a random duration */
    DRIFT,
    LOADS
};

enum { ROUNDS = 300, SEEDS = 12 / RUNS_DIVISOR, STOPS_RIGHT = 500 /* one in this many may be wrong */ };

static const char *const names[LOADS] = {"steady", "floods", "floods and silences", "one silence", "bursts", "changes",
                                         "stops",  "drift"};

static struct {
    enum load load;
    uint64_t state, written;
    uint64_t each_us, slow_us, phase_us; /* time between events, normal and quiet; time to the next phase */
    uint64_t pause_us;                   /* minimum time between two polls */
    bool quiet;
    uint64_t silence_at_us, silence_us;
} target;

static uint64_t chance(uint64_t below)
{
    target.state = target.state * 6364136223846793005u + 1442695040888963407u;
    return (target.state >> 33) % below;
}

static uint64_t between(uint64_t low, uint64_t high)
{
    return low + chance(high - low + 1);
}

static void begin_phase(void)
{
    target.quiet = !target.quiet;
    if (target.load == BURSTS)
        target.phase_us = target.quiet ? 50 * target.slow_us : between(5, 400) * target.each_us;
    else if (target.load == CHANGES)
        target.phase_us = between(target.pause_us / 4, 4 * target.pause_us);
    else if (target.load == STOPS)
        target.phase_us = target.quiet ? between(100, 100000) : between(1000, 300000);
    else if (target.load == FLOODS)
        target.phase_us = target.quiet ? between(1000, 100000) : between(500, 100000);
    else
        target.phase_us = target.quiet ? between(5000, 2000000) : between(5000, 500000);
}

/* Returns the time between events. Within a second it rises from `step` to four times `step`, and falls again. */
static uint64_t drifted(uint64_t step)
{
    uint64_t at = fixture.now_us % 1000000, up = at < 500000 ? at : 1000000 - at;

    return step + 3 * step * up / 500000;
}

/* Lets the target run for `us`. */
static void live_for(uint64_t us)
{
    uint64_t end = fixture.now_us + us;

    while (fixture.now_us < end) {
        bool phases = target.load != STEADY && target.load != ONE_SILENCE && target.load != DRIFT;
        uint64_t step = target.quiet && target.slow_us > 0 ? target.slow_us : target.each_us;

        if (target.load == DRIFT)
            step = drifted(step);

        if (target.load == ONE_SILENCE && fixture.now_us >= target.silence_at_us && target.silence_us > 0) {
            fixture.now_us += target.silence_us;
            target.silence_us = 0;
            return; /* the poller must poll before the target writes again */
        }
        if (phases && target.phase_us < step)
            begin_phase();
        target.phase_us -= phases ? step : 0;
        if (target.quiet && target.slow_us == 0) {
            fixture.now_us += step;
            continue;
        }
        write_timed(1, step + (step > 3 ? chance(step / 2) : 0));
        target.written++;
    }
}

static void begin(uint64_t seed, enum load load)
{
    open_poller();
    fixture.timed = fixture.plain = true;
    fixture.read_us = 1; /* short, so that the target writes nothing during a read */
    memset(&target, 0, sizeof target);
    target.state = seed * 7919 + (uint64_t)load + 1;
    target.load = load;
    target.each_us = between(1, 40);
    target.slow_us = load == FLOODS    ? between(200, 3000)
                     : load == BURSTS  ? between(20, 2000)
                     : load == CHANGES ? between(2, 30) * target.each_us
                                       : 0;
    target.pause_us = between(300, 20000);
    target.silence_at_us = fixture.now_us + between(100000, 2000000);
    target.silence_us = between(1000000, 5000000);
}

struct tally {
    unsigned gaps, given, wrong;
};

static void judge(uint64_t lost, uint64_t estimate, struct tally *tally, uint64_t seed)
{
    tally->given++;
    if (2 * estimate + 1 >= lost && estimate <= 2 * lost + 1)
        return;
    tally->wrong++;
    if (getenv("TXTAP_SHOW"))
        printf("%s, seed %lu: %lu lost, estimate %lu\n", names[target.load], (unsigned long)seed, (unsigned long)lost,
               (unsigned long)estimate);
}

static struct tally run(uint64_t seed, enum load load)
{
    uint64_t known = 0;
    struct tally tally = {0};

    begin(seed, load);
    for (int i = 0; i < 10; i++) { /* the reader finds its position before any event is lost */
        live_for(10 * target.each_us);
        cr_assert_eq(poller_step(&fixture.poller, &fixture.error), TXTAP_OK);
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t before = fixture.gaps, truth;

        live_for(between(target.pause_us, 2 * target.pause_us) * (chance(50) == 0 ? 10 : 1));
        fixture.reads = 0;
        for (int k = 0; k < 8 || (k < 100 && !poller_is_read(&fixture.poller)); k++)
            cr_assert_eq(poller_step(&fixture.poller, &fixture.error), TXTAP_OK);
        truth = target.written - fixture.taken_count - known;
        if (fixture.gaps == before)
            continue;
        known += truth;
        tally.gaps++;
        if (fixture.gaps == before + 1 && fixture.last_gap.estimate > 0)
            judge(truth, fixture.last_gap.estimate, &tally, seed);
    }
    cr_assert_leq(fixture.lost, known, "'at least' is never more than the truth");
    close_poller();
    return tally;
}

Test(gap_estimate_loads, an_estimate_is_within_a_factor_of_two_or_not_given)
{
    uint64_t seeds = setting("TXTAP_RUNS", SEEDS), first = setting("TXTAP_SEED", 1);

    for (int load = 0; load < LOADS; load++) {
        struct tally sum = {0};

        for (uint64_t seed = first; seed < first + seeds; seed++) {
            struct tally tally = run(seed, (enum load)load);

            sum.gaps += tally.gaps;
            sum.given += tally.given;
            sum.wrong += tally.wrong;
        }
        printf("%s: %u gaps, %u estimates, %u wrong\n", names[load], sum.gaps, sum.given, sum.wrong);
        /* A stop can fill a gap. By chance it may leave the remainder that the rate predicts. */
        cr_expect(load == STOPS ? STOPS_RIGHT * sum.wrong <= sum.given : sum.wrong == 0, "%s: %u of %u", names[load],
                  sum.wrong, sum.given);
        cr_expect(load != STEADY || sum.given > sum.gaps / 2, "an even load has estimates");
    }
}

/* The first read finds a batch that ends at the target's position: the age of its events is unknown. */
Test(gap_estimate_loads, the_rate_does_not_count_the_time_before_the_ring_was_first_read)
{
    uint64_t begun_us;
    double rate;

    set_up();
    fixture.timed = fixture.plain = true;
    fixture.read_us = 1;
    write_timed(ENTRIES / 2, 1000);
    fixture.now_us += 1500000;
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    steps(20);
    cr_assert_eq(fixture.taken_count, ENTRIES / 2);
    begun_us = fixture.now_us;
    for (unsigned i = 0; i < 150; i++) {
        write_timed(10, 1000);
        fixture.reads = 0;
        cr_assert_eq(poller_step(&fixture.poller, &fixture.error), TXTAP_OK);
    }
    rate = 1500 * 1e6 / (double)(fixture.now_us - begun_us);
    cr_assert_eq(fixture.lost, 0);
    cr_assert_geq(fixture.poller.stats.rate_by_stamps, 0.9 * rate);
    cr_assert_leq(fixture.poller.stats.rate_by_stamps, 1.1 * rate);
    close_poller();
}
