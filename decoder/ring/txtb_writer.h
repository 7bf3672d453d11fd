/* SPDX-License-Identifier: MIT */
/*
 * The writer's position, as far as one exchange shows it: by the pointer, and the evidence for it (the lap count before
 * and after, the guard, the newest entry). Knows nothing of what becomes of the entries.
 */
#ifndef TXTAP_DECODER_RING_TXTB_WRITER_H
#define TXTAP_DECODER_RING_TXTB_WRITER_H

#include "base/min_max.h"
#include "ring/txtb_inside.h"
#include "txtap/inner/header.h"

#define LIVE_OFFSET    TXTB_HEADER_LAPS /* laps and name size, registry end, ring start and end, current */
#define GUARD_OFFSET   TXTB_ENTRY_ID    /* behind it: id, stamp, info 1..3 */
#define UNBOUNDED      UINT64_MAX
#define LAPS_BACKWARDS 32767 /* a larger step of the 16-bit count is a step back: the count restarted */

struct bounds {
    uint64_t lower; /* the writer had reached this position when its pointer was read, */
    uint64_t upper; /* and not passed this one when the entries were; UNBOUNDED: none of them can be trusted */
    bool stale;     /* as far as is known, missing entries were overwritten before this exchange began */
};

struct live {
    uint32_t current;
    uint16_t laps;
    uint64_t half_laps; /* unwrapped; only where they are read */
};

/* An entry that this exchange read. */
static inline const uint8_t *entry_at(const struct ring_inside *ring, const struct txtap_ring_plan *plan,
                                      uint64_t position)
{
    return ring->buffer + (position - plan->first) * TXTB_ENTRY_BYTES;
}

/* The thread word of a slot is 0 until it is first written. thread: that word, in any byte order. */
static inline bool is_written(const uint8_t *thread)
{
    return (thread[0] | thread[1] | thread[2] | thread[3]) != 0;
}

/*
 * The trace had not wrapped when it was found, and no event of it was read yet. The guard is then the last slot, which
 * is empty until the ring is full.
 */
static inline bool guards_last_slot(const struct ring_inside *ring)
{
    return ring->not_wrapped_yet && !ring->guard_known;
}

static inline uint64_t guard_position(const struct ring_inside *ring)
{
    return guards_last_slot(ring) ? ring->entries - 1 : ring->read_end - 1;
}

/* The smallest position >= floor whose slot is the pointer's. */
static inline uint64_t position_from(const struct ring_inside *ring, uint64_t floor, uint32_t current)
{
    uint64_t slot = txtap_header_slot(&ring->header, current);
    uint64_t distance = (slot + ring->entries - floor % ring->entries) % ring->entries;

    return floor + distance;
}

/* The position at the start of the ring's lap in which position lies. */
static inline uint64_t lap_start(const struct ring_inside *ring, uint64_t position)
{
    return position - position % ring->entries;
}

/*
 * Takes the header's live words from the plan's answers, live[1] only if they were read again. TXTAP_ERROR_MOVED: they
 * describe another buffer. TXTAP_ERROR_POINTER: a current pointer is not at an entry.
 */
enum txtap_status take_live(const struct ring_inside *ring, const struct txtap_ring_plan *plan, struct live live[2]);

/*
 * Bounds of the writer's position. upper < ring->head: the lap count went backwards. Changes of the ring only what the
 * next exchange needs (guard_gone, inexact, laps_state, newest). live: see take_live(). now_us: the commit's.
 */
struct bounds find_writer(struct ring_inside *ring, const struct txtap_ring_plan *plan, const struct live live[2],
                          uint64_t now_us);

/*
 * The position that the writer is known to have reached, which the next exchange is planned from: the later one of two
 * pointers, if both were read. To be called before ring->laps is updated.
 */
uint64_t reached_position(const struct ring_inside *ring, const struct txtap_ring_plan *plan, struct bounds bounds,
                          const struct live live[2]);

/* The header's 16-bit count of laps, unwrapped by the last one read. */
uint64_t unwrap_laps(const struct ring_inside *ring, uint16_t laps);

/*
 * ---- half-laps: the words that txtap's recorder keeps beside its buffer: pointer, half-laps, life ----
 * They are all the evidence that an exchange needs. A ring without them (half_laps_at is 0) never comes here.
 */

/* Takes over the words as they were when the ring was found; the header's were read before them. */
void half_laps_init(struct ring_inside *ring, const struct txtap_ring_half_laps *words);

/*
 * Takes the words from the plan's answers. TXTAP_ERROR_MOVED: another trace is recorded into this ring.
 * TXTAP_ERROR_POINTER: an impossible pointer. TXTAP_AGAIN: they say nothing of this ring any more, for the firmware was
 * reset, or records into another buffer, or will soon; from now on the header is the evidence.
 */
enum txtap_status half_laps_take(struct ring_inside *ring, const struct txtap_ring_plan *plan, struct live *live);

/* As find_writer(), of words that were taken with TXTAP_OK. upper < ring->head: it went backwards. */
struct bounds half_laps_bounds(const struct ring_inside *ring, struct live live);

/*
 * Once the words have left the ring they are still read, last in each exchange. TXTAP_OK: their life is elsewhere, so
 * nobody has touched this buffer since. TXTAP_AGAIN: a trace is being set up, perhaps here. TXTAP_ERROR_MOVED: it is
 * here, or there was another one in between.
 */
enum txtap_status half_laps_watch(const struct ring_inside *ring, const struct txtap_ring_plan *plan);

#endif
