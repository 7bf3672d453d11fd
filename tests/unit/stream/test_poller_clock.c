/* SPDX-License-Identifier: MIT */
/*
 * The rate of the target's clock, measured while events arrive. The reported bounds must contain the true rate, for any
 * pace of target, probe and host. Time is virtual, and the clock has a constant rate. The target may be an emulator
 * that its host stops between any two stores: then an event gets its stamp long before it is written.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sanitized.h"
#include "seeds.h"
#include "stream/fixtures/probe_fixture.h"
#include "txtb_bytes.h"
#include "txtap/inner/host_time.h"

enum { RUNS = 400 / RUNS_DIVISOR, REMEMBERED = 1 << 16, MS = 1000000 };

/* The reported time of an event is right within half a second; 80 ms are added, because the target may stand still. */
#define SHOWN_US 580000

enum load { EVEN, RANDOM, BURSTS, SLOW, LOADS }; /* SLOW: a poll finds at most one event */

static struct {
    uint64_t seed, dice;

    /* the target */
    double hz;
    uint32_t mask;
    enum load load;
    uint64_t begun_ns, each_ns, due_ns; /* average time between two events; time of the next event */
    unsigned burst;                     /* number of events that remain in the burst */
    uint64_t one_in, still_ns;          /* the target stands still while writing one event in this many, for at most
                                         * this long; 0: never */
    uint64_t until_ns;                  /* the target stands still until this time */
    uint64_t now_ns;                    /* time of the current store */
    uint64_t stamped_ns[REMEMBERED], stored_ns[REMEMBERED];

    /* the sink */
    uint64_t before_us; /* the previous event was written after this time; 0: the time is unknown */
    uint64_t late;      /* number of events that were stamped before their reported window */
    bool said;
} sim;

static uint64_t chance(uint64_t below)
{
    sim.dice = sim.dice * 6364136223846793005u + 1442695040888963407u;
    return below > 0 ? (sim.dice >> 33) % below : 0;
}

#define ONE_OF(...) (((const uint64_t[]){__VA_ARGS__})[chance(sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))])

/* ---- the target ---- */

static uint32_t stamp(void)
{
    sim.stamped_ns[probe_fixture.target.written % REMEMBERED] = sim.now_ns;
    return (uint32_t)(uint64_t)((double)sim.now_ns * 1e-9 * sim.hz) & sim.mask;
}

static uint64_t next_step_ns(void)
{
    if (sim.load == RANDOM)
        return chance(2 * sim.each_ns);
    if (sim.load != BURSTS)
        return sim.each_ns;
    if (sim.burst-- > 0)
        return 2000;
    sim.burst = (unsigned)chance(40);
    return chance(40 * sim.each_ns);
}

/* Makes `stores` stores of an event, or all remaining stores. */
static void store(uint64_t at_ns, uint64_t stores)
{
    struct ring_target *target = &probe_fixture.target;
    uint64_t n = target->written;

    sim.now_ns = at_ns;
    do
        target_store(target);
    while (target->store != 0 && --stores > 0);
    if (target->store == 0)
        sim.stored_ns[n % REMEMBERED] = at_ns;
}

static void write_until(uint64_t ns)
{
    for (;;) {
        bool begun = probe_fixture.target.store != 0;
        uint64_t at = begun || sim.due_ns < sim.until_ns ? sim.until_ns : sim.due_ns;

        if (at > ns)
            return;
        if (!begun)
            sim.due_ns += next_step_ns();
        if (!begun && sim.one_in > 0 && chance(sim.one_in) == 0) {
            store(at, 1 + chance(8));
            sim.until_ns = at + chance(sim.still_ns);
        } else {
            store(at, UINT64_MAX);
        }
    }
}

/* ---- checks of the reported rate ---- */

static void check_window(const struct txtap_item *item)
{
    uint64_t n = item->event.info[0], stamped, stored, shown;

    if (item->to_us == 0 || probe_fixture.target.written - n >= REMEMBERED)
        return;
    stamped = sim.stamped_ns[n % REMEMBERED] / 1000 + 1;
    stored = sim.stored_ns[n % REMEMBERED] / 1000 + 1;
    cr_expect(item->from_us <= stored && stored <= item->to_us + 1, "seed %lu: event %lu", sim.seed, n);
    cr_expect(sim.before_us <= stamped, "seed %lu: event %lu", sim.seed, n);
    if (txtap_host_time_last_us(&probe_fixture.poller.maker.host_time, &shown))
        cr_expect(shown <= stored + SHOWN_US && stored <= shown + SHOWN_US, "seed %lu: event %lu, at %lu, not %lu",
                  sim.seed, n, stored, shown);
    sim.late += stamped < item->from_us;
    sim.before_us = item->from_us;
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    double low, high;

    (void)self;
    if (item->kind != TXTAP_ITEM_EVENT)
        return TXTAP_OK;
    check_window(item);
    if (!txtap_host_time_rate(&probe_fixture.poller.maker.host_time, &low, &high))
        return TXTAP_OK;
    sim.said = true;
    if (low <= sim.hz && sim.hz <= high)
        return TXTAP_OK;
    cr_expect_fail("seed %lu: %.9g is not in %.9g..%.9g", sim.seed, sim.hz, low, high);
    return TXTAP_ERROR_RING; /* one failed check ends the run */
}

/* ---- runs ---- */

static struct probe_model any_probe(void)
{
    struct probe_model model;
    size_t count = 0;

    while (probe_models[count].name != NULL)
        count++;
    do
        model = probe_models[chance(count)];
    while (model.direct != NULL);
    if (chance(3) > 0)
        return model;
    model.piece_us = chance(300);
    model.command_us = chance(300);
    model.word_ns = chance(20000);
    return model;
}

/* Chooses a clock. A narrow counter must count slowly, because it would wrap too often to be useful otherwise. */
static void any_clock(void)
{
    sim.hz = (double)ONE_OF(32768, 1000000, 16000000, 168000000, 480000000);
    sim.mask = UINT32_MAX;
    if (chance(3) == 0)
        sim.mask = sim.hz <= 1e6 ? 0xFFFF : 0xFFFFFF;
    sim.hz *= 1 + 1e-6 * (double)chance(100);
}

/* Chooses a target. With a narrow counter, events at equal distances can suggest a wrong rate. */
static void any_target(void)
{
    sim.load = sim.mask == UINT32_MAX ? (enum load)chance(LOADS) : chance(2) ? RANDOM : BURSTS;
    sim.each_ns = 1000 * MS / ONE_OF(300, 2000, 8000, 40000, 100000);
    if (sim.load == SLOW)
        sim.each_ns = chance(200 * MS);
    sim.one_in = ONE_OF(0, 20, 300, 3000);
    sim.still_ns = MS * ONE_OF(1, 5, 20, 80);
}

static void start(enum txtap_ring_from from)
{
    sim.begun_ns = sim.due_ns = probe_fixture.now_ns;
    probe_fixture.dice = (uint32_t)sim.seed;
    probe_fixture.target.stamp = stamp;
    probe_fixture.write = write_until;
    put_u32(probe_fixture.target.memory + TXTB_HEADER_TIMER_MASK, TXTAP_LITTLE, sim.mask);
    probe_fixture_wait(chance(100000));
    probe_fixture_open_to(from, (struct txtap_sink){take, NULL});
}

static void set_up(uint64_t seed)
{
    memset(&sim, 0, sizeof sim);
    sim.seed = seed;
    sim.dice = seed * 7919 + 1;
}

static void begin(uint64_t seed)
{
    struct probe_model model;
    struct probe_ring ring;

    set_up(seed);
    model = any_probe();
    ring.entries = (uint32_t)ONE_OF(100, 465, 4000);
    ring.objects = (uint32_t)ONE_OF(0, 30);
    ring.laps = (enum probe_laps)chance(3);
    probe_fixture_set_up(&model, ring, 0, 0);
    any_clock();
    any_target();
    probe_fixture.disturbance = (struct disturbance){
        .late_us = ONE_OF(0, 300, 2000), .stall_us = ONE_OF(0, 4000, 30000), .end_us = ONE_OF(0, 0, 3000, 20000)};
    start(chance(2) ? TXTAP_RING_FROM_NOW : TXTAP_RING_FROM_OLDEST);
}

static void run_for(uint64_t us)
{
    uint64_t end_us = probe_fixture_now_us() + us;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && probe_fixture_now_us() < end_us) {
        status = poller_step(&probe_fixture.poller, &probe_fixture.error);
        probe_fixture_wait(poller_delay_us(&probe_fixture.poller) + 1);
    }
}

/* Runs a fast target for about a second, a slow target for up to six seconds. */
static void run(uint64_t seed)
{
    begin(seed);
    run_for(300000 + chance(sim.each_ns > MS / 10 ? 6000000 : 1000000));
    poller_free(&probe_fixture.poller);
}

Test(poller_clock, the_bounds_of_the_rate_contain_it)
{
    uint64_t first = setting("TXTAP_SEED", 1), count = setting("TXTAP_RUNS", RUNS);
    uint64_t said = 0, late = 0;

    for (uint64_t seed = first; seed < first + count; seed++) {
        run(seed);
        said += sim.said;
        late += sim.late;
    }
    printf("%lu runs, %lu with a rate, %lu events stamped before their window\n", count, said, late);
    cr_expect(count < RUNS || (said > count / 8 && late > count / 8));
}

/* ---- "about N events per second", if not all gaps are exact ---- */

/* Runs a steady writer while the host is busy from time to time. Returns true if there was an estimate. */
static bool even_load(uint64_t seed, const struct probe_model *model, uint64_t rate)
{
    double truth = (double)rate, estimate;

    set_up(seed);
    probe_fixture_set_up(model, (struct probe_ring){4000, 0, PROBE_NO_LAPS}, 0, 0);
    sim.hz = 1e6;
    sim.mask = UINT32_MAX;
    sim.each_ns = 1000 * MS / rate;
    probe_fixture.disturbance.stall_us = 30000;
    start(TXTAP_RING_FROM_NOW);
    run_for(1000000 + chance(5000000));
    estimate = stream_stats_estimate(&probe_fixture.poller.stats, 0);
    cr_expect(estimate == 0 || (0.88 * truth <= estimate && estimate <= 1.12 * truth),
              "seed %lu, %s: about %.0f of %.0f", seed, model->name, estimate, truth);
    poller_free(&probe_fixture.poller);
    return estimate > 0;
}

/* A large ring has the events of half a second, so the first event and the last event may be that old. */
Test(poller_clock, an_even_load_is_estimated_to_a_tenth)
{
    unsigned estimates = 0;

    for (const struct probe_model *model = probe_models; model->name != NULL; model++)
        for (uint64_t seed = 1; seed <= 8 && model->direct == NULL; seed++)
            estimates += even_load(seed, model, seed % 2 == 0 ? 8000 : 40000);
    cr_expect_gt(estimates, 8, "%u", estimates);
}
