/* SPDX-License-Identifier: MIT */
/* A slow probe and a writer that races it, in virtual time: what an attach delivers. */
#include <criterion/criterion.h>

#include "probe_world.h"

#define ENTRIES   2046u /* 64 KiB */
#define ATTACHES  50
#define ATTACH_US 2000000

static enum txtap_status take_entry(void *self, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq, bool unsettled)
{
    (void)self;
    (void)entry;
    (void)seq;
    (void)unsettled;
    return TXTAP_OK;
}

static enum txtap_status take_gap(void *self, const struct txtap_gap *gap)
{
    (void)self;
    (void)gap;
    return TXTAP_OK;
}

static const struct session_taker taker = {.entry = take_entry, .gap = take_gap};

static uint64_t delivered(bool counts_laps, uint64_t written, uint64_t rate, enum txtap_ring_from from,
                          uint64_t wait_us)
{
    uint64_t events;

    probe_world_set_up(&stlink_v2, ENTRIES, counts_laps, written, rate);
    probe_world_wait(wait_us);
    probe_world_open(from, taker);
    probe_world_run(ATTACH_US);
    events = probe_world.session.stats.events;
    session_free(&probe_world.session);
    return events;
}

Test(session_probe, an_attach_delivers_as_much_whether_laps_are_counted_or_not)
{
    static const uint64_t rates[] = {600, 1000, 1300}; /* the probe can follow 1,600 */
    struct ring_target dice;

    target_init(&dice, 1, false, 4711);
    for (int i = 0; i < ATTACHES; i++) {
        uint64_t rate = rates[i % 3], written = target_random(&dice, 3 * ENTRIES);
        uint64_t wait_us = target_random(&dice, 100000);
        enum txtap_ring_from from = i & 8 ? TXTAP_RING_FROM_NOW : TXTAP_RING_FROM_OLDEST;
        uint64_t counted = delivered(true, written, rate, from, wait_us);
        uint64_t plain = delivered(false, written, rate, from, wait_us);

        cr_expect_geq(plain * 10, counted * 8, "%lu events/s, %lu written before: %lu without laps, %lu with", rate,
                      written, plain, counted);
    }
}
