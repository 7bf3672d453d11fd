/* SPDX-License-Identifier: MIT */
/*
 * Where the writer of a ring is, as far as one exchange can tell: the pointer, and the evidence for it (the lap count
 * before and after, the guard, the newest entry). Knows nothing of what becomes of the entries.
 */
#ifndef TXTAP_DECODER_RING_TXTB_WRITER_H
#define TXTAP_DECODER_RING_TXTB_WRITER_H

#include "base/min_max.h"
#include "txtap/ring.h"

#define LIVE_OFFSET  TXTB_HEADER_LAPS /* laps and name size, registry end, ring start and end, current */
#define GUARD_OFFSET TXTB_ENTRY_ID    /* behind it: id, stamp, info 1..3 */
#define UNBOUNDED    UINT64_MAX

/* What the pointer and the evidence for it say of the writer's position when the pointer was read. */
struct bounds {
    uint64_t lower;
    uint64_t upper; /* UNBOUNDED: nothing read in this exchange can be trusted */
    bool stale;     /* what is missing was overwritten before this exchange began, as far as is known */
};

struct live {
    uint32_t current;
    uint16_t laps;
};

/*
 * No event was read yet of a trace that had not wrapped when it was found. Its guard is the last slot, which is empty
 * until the ring is full.
 */
static inline bool is_young(const struct txtap_ring *ring)
{
    return ring->not_wrapped_yet && !ring->guard_known;
}

static inline uint64_t guard_position(const struct txtap_ring *ring)
{
    return is_young(ring) ? ring->entries - 1 : ring->read_end - 1;
}

/* The smallest position >= floor whose slot is the pointer's. */
static inline uint64_t position_from(const struct txtap_ring *ring, uint64_t floor, uint32_t current)
{
    uint64_t slot = (current - ring->header.ring_start) / TXTB_ENTRY_BYTES;
    uint64_t distance = (slot + ring->entries - floor % ring->entries) % ring->entries;

    return floor + distance;
}

/*
 * The header's live words in the plan's answers. TXTAP_ERROR_MOVED: they describe another buffer; TXTAP_ERROR_POINTER:
 * the pointer is none.
 */
enum txtap_status take_live(const struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct live *live);

/*
 * Bounds of the writer's position when the pointer was read. upper < ring->head: the count went backwards. Keeps in the
 * ring what the next exchange needs to know (guard_gone, inexact, laps_state, the newest), and no more. now_us: the
 * commit's.
 */
struct bounds find_writer(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct live live,
                          uint64_t now_us);

/* laps of the header, continued from the last one read. */
uint64_t unwrap_laps(const struct txtap_ring *ring, uint16_t laps);

#endif
