/* SPDX-License-Identifier: MIT */
/* A slow probe and a fast writer, in virtual time: the events delivered after an attach, and the prediction of info. */
#include <criterion/criterion.h>

#include "ring/txtb.h"
#include "stream/fixtures/probe_fixture.h"

#define ENTRIES   2046u /* 64 KiB */
#define ATTACHES  240
#define ATTACH_US 2000000

static uint64_t delivered(enum probe_laps laps, uint64_t written, uint64_t rate, enum txtap_ring_from from,
                          uint64_t wait_us)
{
    uint64_t events;

    probe_fixture_set_up(&stlink_v2, (struct probe_ring){ENTRIES, 0, laps}, written, rate);
    probe_fixture_wait(wait_us);
    probe_fixture_open(from);
    probe_fixture_run(ATTACH_US);
    events = probe_fixture.poller.stats.events;
    poller_free(&probe_fixture.poller);
    return events;
}

Test(poller_probe, an_attach_delivers_as_much_whether_laps_are_counted_or_not)
{
    /* the probe can read 1,490 events per second */
    static const uint64_t rates[] = {600, 1000, 1300, 1400, 2000, 5000};
    struct ring_target dice;

    target_init(&dice, 1, false, 4711);
    for (int i = 0; i < ATTACHES; i++) {
        uint64_t rate = rates[i % 6], written = target_random(&dice, 3 * ENTRIES);
        uint64_t wait_us = target_random(&dice, 100000);
        enum txtap_ring_from from = i & 8 ? TXTAP_RING_FROM_NOW : TXTAP_RING_FROM_OLDEST;
        uint64_t counted = delivered(PROBE_LAPS, written, rate, from, wait_us);
        uint64_t plain = delivered(PROBE_NO_LAPS, written, rate, from, wait_us);

        cr_expect_geq(plain * 10, counted * 8, "%lu events/s, %lu written before: %lu without laps, %lu with", rate,
                      written, plain, counted);
    }
}

Test(poller_probe, the_end_reads_all_of_a_resting_ring_despite_an_unseen_lap)
{
    for (enum probe_laps laps = PROBE_NO_LAPS; laps <= PROBE_HALF_LAPS; laps++) {
        probe_fixture_set_up(&stlink_v2, (struct probe_ring){ENTRIES, 0, laps}, 3000, 0);
        probe_fixture_open(TXTAP_RING_FROM_OLDEST);
        probe_fixture_run(ATTACH_US);
        target_write(&probe_fixture.target, ENTRIES + 500);
        cr_assert_eq(poller_drain(&probe_fixture.poller, 5000000, &probe_fixture.error), TXTAP_OK);
        cr_expect(poller_is_read(&probe_fixture.poller));
        cr_expect_geq(probe_fixture.poller.stats.events, 2 * (ENTRIES - 1), "%lu events, laps %d",
                      probe_fixture.poller.stats.events, laps);
        poller_free(&probe_fixture.poller);
    }
}

/* Returns the number of events lost in 4 s. Losses in the first second do not count. */
static uint64_t lost_at(const struct probe_model *probe, uint32_t entries, enum probe_laps laps, uint64_t rate)
{
    uint64_t lost;

    probe_fixture_set_up(probe, (struct probe_ring){entries, 0, laps}, 5 * entries + 7, rate);
    probe_fixture_open(TXTAP_RING_FROM_NOW);
    probe_fixture_run(1000000);
    lost = probe_fixture.poller.stats.lost;
    probe_fixture_run(4000000);
    cr_assert_eq(poller_drain(&probe_fixture.poller, 1000000, &probe_fixture.error), TXTAP_OK);
    lost = probe_fixture.poller.stats.lost - lost;
    poller_free(&probe_fixture.poller);
    return lost;
}

static double predicted(const struct probe_model *probe, uint32_t entries, enum probe_laps laps)
{
    double bytes;

    probe_fixture_set_up(probe, (struct probe_ring){entries, 0, laps}, 5 * entries + 7, 0);
    probe_fixture_open(TXTAP_RING_FROM_NOW);
    probe_fixture_run(1);
    cr_assert_eq(txtb_measure(&probe_fixture.poller, &bytes, &probe_fixture.error), TXTAP_OK);
    poller_free(&probe_fixture.poller);
    return bytes / TXTB_ENTRY_BYTES;
}

static void expect_predicted(const struct probe_model *probe, uint32_t entries, enum probe_laps laps)
{
    double said = predicted(probe, entries, laps);

    cr_expect_eq(lost_at(probe, entries, laps, (uint64_t)(said / 1.2)), 0,
                 "%s, %u entries, laps %d: losses begin before %.0f a second, predicted %.0f", probe->name, entries,
                 laps, said / 1.2, said);
    cr_expect_gt(lost_at(probe, entries, laps, (uint64_t)(said / 0.85)), 0,
                 "%s, %u entries, laps %d: no losses at %.0f a second, predicted %.0f", probe->name, entries, laps,
                 said / 0.85, said);
}

/* A larger ring would not show the losses: in 5 s a slow probe does not fall behind by a whole ring. */
Test(poller_probe, info_predicts_the_rate_at_which_losses_begin)
{
    static const uint32_t rings[] = {100, 250, 465, 1000};

    for (const struct probe_model *probe = probe_models; probe->name != NULL; probe++)
        for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
            /* direct probes take longer to simulate, and a ring of 100 loses a few events even at lower rates */
            if ((probe->direct != NULL || probe->stlink != NULL) && rings[i] != 465)
                continue;
            expect_predicted(probe, rings[i], PROBE_NO_LAPS);
            expect_predicted(probe, rings[i], PROBE_LAPS);
            if (rings[i] == 250)
                expect_predicted(probe, rings[i], PROBE_HALF_LAPS);
        }
}
