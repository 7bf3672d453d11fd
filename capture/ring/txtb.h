/* SPDX-License-Identifier: MIT */
/* The parts of the row of ThreadX's trace buffer. */
#ifndef TXTAP_CAPTURE_RING_TXTB_H
#define TXTAP_CAPTURE_RING_TXTB_H

#include "locate/txtb.h"
#include "ring/ring_kind.h"
#include "txtap/ring.h"

/* What reader.own of its place holds. */
struct txtb_place {
    enum locate_how how;
    bool half_laps_behind;                 /* they lie behind the buffer, and are not used */
    struct txtap_ring_half_laps half_laps; /* as found at the same time as the header */
};

/* As struct ring_kind says. */
enum txtap_status txtb_measure(struct poller *poller, double *bytes_per_second, struct error *error);
enum txtap_status txtb_copy(const struct poller_place *place, struct ring_copy *copy, struct error *error);
enum txtap_status txtb_describe(struct poller *poller, const struct poller_place *place, const struct elf_file *elf,
                                struct error *error);

/* ---- its reader ---- */

#define TXTB_READER_FIRST_ENTRIES 128 /* of the first exchange: the probe's speed is not known yet */

struct txtb_reader {
    struct txtap_ring ring;
    struct txtap_ring_plan plan;
    struct txtap_ring_batch batch;
    bool batch_waits;
    uint32_t address; /* of the control header */
    uint8_t *entries; /* the ring's buffer */
    uint32_t entries_capacity;
};

extern const struct reader_ops txtb_reader_ops;

/* For a poller that reads such a ring, while the ring is not over. */
struct txtb_reader *txtb_reader_of(const struct poller *poller);
struct txtap_ring_state txtb_ring_of(const struct poller *poller);

/*
 * How many entries the next exchange should read, after one that read this many, took this long and left more to read:
 * not more than most, and few enough for the poller to stay responsive.
 */
uint32_t txtb_reader_adapt(uint32_t entries, uint32_t most, uint64_t took_us);

#endif
