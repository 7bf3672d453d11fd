/* SPDX-License-Identifier: MIT */
/*
 * The writer's position, as one exchange shows it: from the pointer and the evidence for it. This evidence is the lap
 * count before and after the entries, the guard, or the newest entry. Knows nothing of the delivery of entries.
 */
#ifndef TXTAP_DECODER_RING_TXTB_WRITER_H
#define TXTAP_DECODER_RING_TXTB_WRITER_H

#include "base/min_max.h"
#include "ring/txtb_inside.h"
#include "txtap/inner/header.h"

#define LIVE_OFFSET    TXTB_HEADER_LAPS /* laps and name size, registry end, ring start and end, current */
#define GUARD_OFFSET   TXTB_ENTRY_ID    /* followed by the stamp and info 1..3 */
#define UNBOUNDED      UINT64_MAX
#define LAPS_BACKWARDS 32767 /* a larger step of the 16-bit count is a step backwards: the count restarted */

struct bounds {
    uint64_t lower; /* the writer had reached this position when its pointer was read */
    uint64_t upper; /* the writer had not passed this position when the entries were read; UNBOUNDED: unknown */
    bool stale;     /* if entries are missing, they were probably overwritten before this exchange began */
};

struct live {
    uint32_t current;
    uint16_t laps;
    uint64_t half_laps; /* unwrapped; set only if they were read */
};

/* Returns an entry that this exchange read. */
static inline const uint8_t *entry_at(const struct ring_inside *ring, const struct txtap_ring_plan *plan,
                                      uint64_t position)
{
    return ring->buffer + (position - plan->first) * TXTB_ENTRY_BYTES;
}

/*
 * Returns true if a slot was ever written: until then its thread word is 0. thread: the thread word, in any byte order.
 */
static inline bool is_written(const uint8_t *thread)
{
    return (thread[0] | thread[1] | thread[2] | thread[3]) != 0;
}

/*
 * Returns true if the ring had not wrapped when it was found, and no event of it has been read. The guard is then the
 * last slot, which is empty until the ring is full.
 */
static inline bool guards_last_slot(const struct ring_inside *ring)
{
    return ring->not_wrapped_yet && !ring->guard_known;
}

static inline uint64_t guard_position(const struct ring_inside *ring)
{
    return guards_last_slot(ring) ? ring->entries - 1 : ring->read_end - 1;
}

/* Returns the smallest position >= floor in the pointer's slot. */
static inline uint64_t position_from(const struct ring_inside *ring, uint64_t floor, uint32_t current)
{
    uint64_t slot = txtap_header_slot(&ring->header, current);
    uint64_t distance = (slot + ring->entries - floor % ring->entries) % ring->entries;

    return floor + distance;
}

/* Returns the first position of the lap that contains position. */
static inline uint64_t lap_start(const struct ring_inside *ring, uint64_t position)
{
    return position - position % ring->entries;
}

/*
 * Takes the header's live words from the plan's answers. live[1] equals live[0] unless the words were read twice.
 * TXTAP_ERROR_MOVED: the words describe another buffer. TXTAP_ERROR_POINTER: a current pointer does not point to an
 * entry.
 */
enum txtap_status take_live(const struct ring_inside *ring, const struct txtap_ring_plan *plan, struct live live[2]);

/*
 * Finds bounds of the writer's position. upper < ring->head: the lap count went backwards. Changes only the members
 * guard_gone, inexact, laps_state and newest of the ring, and their times, which the next exchange needs. live: see
 * take_live(). now_us: the time of the commit.
 */
struct bounds find_writer(struct ring_inside *ring, const struct txtap_ring_plan *plan, const struct live live[2],
                          uint64_t now_us);

/*
 * Returns the position that the writer is known to have reached; the next plan begins there. If the pointer was read
 * twice, its second value counts. Call it before ring->laps is updated.
 */
uint64_t reached_position(const struct ring_inside *ring, const struct txtap_ring_plan *plan, struct bounds bounds,
                          const struct live live[2]);

/* Returns the header's 16-bit count of laps, unwrapped with the last count read. */
uint64_t unwrap_laps(const struct ring_inside *ring, uint16_t laps);

/*
 * ---- half-laps: the words that txtap's recorder keeps beside its buffer: pointer, half-laps, life ----
 *
 * They are all the evidence that an exchange needs. These functions are only for a ring with half-lap words.
 */

/* Initialises the reader from the words as they were when the ring was found. The header was read before them. */
void half_laps_init(struct ring_inside *ring, const struct txtap_ring_half_laps *words);

/*
 * Takes the words from the plan's answers. TXTAP_ERROR_MOVED: another trace is recorded into this ring.
 * TXTAP_ERROR_POINTER: an impossible pointer. TXTAP_AGAIN: the words no longer describe this ring, because the firmware
 * was reset, or because it records, or will soon record, into another buffer. From now on the reader uses the evidence
 * in the header instead.
 */
enum txtap_status half_laps_take(struct ring_inside *ring, const struct txtap_ring_plan *plan, struct live *live);

/* Like find_writer(), for words that were taken with TXTAP_OK. upper < ring->head: the count went backwards. */
struct bounds half_laps_bounds(const struct ring_inside *ring, struct live live);

/*
 * Judges half-lap words that now describe another ring. These words are still read, last in each exchange. TXTAP_OK:
 * they still describe the trace in the other buffer, so this buffer has not changed since that trace began.
 * TXTAP_AGAIN: a trace is being set up, perhaps in this ring. TXTAP_ERROR_MOVED: a trace was set up in this ring, or
 * the trace in the other buffer was followed by another trace.
 */
enum txtap_status half_laps_watch(const struct ring_inside *ring, const struct txtap_ring_plan *plan);

#endif
