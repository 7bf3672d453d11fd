/* SPDX-License-Identifier: MIT */
/* ThreadX's ring, which txtap's recorder writes as well, for a session. */
#ifndef TXTAP_CAPTURE_RING_TXTB_READER_H
#define TXTAP_CAPTURE_RING_TXTB_READER_H

#include "stream/session.h"
#include "txtap/ring.h"

#define TXTB_READER_FIRST_ENTRIES 128 /* of the first exchange: how fast the probe is is not known yet */

struct txtb_reader {
    struct txtap_ring ring;
    struct txtap_ring_plan plan;
    struct txtap_ring_batch batch;
    bool batch_waits;
    uint8_t *entries; /* the ring's buffer */
    uint32_t entries_capacity;
};

extern const struct reader_ops txtb_reader_ops;

/* Of a session that reads such a ring, and whose ring is not over. */
struct txtb_reader *txtb_reader_of(const struct session *session);

/*
 * How many entries the exchange after one reads that read so many, took so long and had more to read: at most most, and
 * few enough for a session to stay responsive.
 */
uint32_t txtb_reader_adapt(uint32_t entries, uint32_t most, uint64_t took_us);

#endif
