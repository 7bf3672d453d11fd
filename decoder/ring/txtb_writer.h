/* SPDX-License-Identifier: MIT */
/*
 * The writer's position, as one exchange shows it by the pointer and by evidence. The evidence is the lap count before
 * and after the entries, the guard, or the newest entry. These functions do not deliver entries.
 */
#ifndef TXTAP_DECODER_RING_TXTB_WRITER_H
#define TXTAP_DECODER_RING_TXTB_WRITER_H

#include "base/min_max.h"
#include "ring/txtb_inside.h"
#include "txtap/inner/header.h"

#define LIVE_OFFSET    TXTB_HEADER_LAPS /* laps, name size, registry end, ring start, ring end, current */
#define GUARD_OFFSET   TXTB_ENTRY_ID    /* the guard: id, stamp, info[0] to info[2] */
#define UNBOUNDED      UINT64_MAX
#define LAPS_BACKWARDS 32767 /* a larger step of the 16-bit lap count is a step backwards: the count restarted */

struct bounds {
    uint64_t lower; /* the writer had reached this position when its pointer was read */
    uint64_t upper; /* the writer had not passed this position when the entries were read; UNBOUNDED: unknown */
    bool stale;     /* if entries are missing, they were probably overwritten before this exchange began */
};

struct live {
    uint32_t current;
    uint16_t laps;
    uint64_t half_laps; /* unwrapped; valid only if the half-lap words were read */
};

/* Returns the entry at a position that this exchange read. */
static inline const uint8_t *entry_at(const struct ring_inside *ring, const struct txtap_ring_plan *plan,
                                      uint64_t position)
{
    return ring->buffer + (position - plan->first) * TXTB_ENTRY_BYTES;
}

/*
 * Returns true if the slot was ever written. The thread word of a slot is 0 until the slot is written. thread: the
 * thread word, in any byte order.
 */
static inline bool is_written(const uint8_t *thread)
{
    return (thread[0] | thread[1] | thread[2] | thread[3]) != 0;
}

/*
 * Returns true if the ring had not wrapped when it was found, and no event has been read yet. The guard is then the
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

/* Returns the smallest position in the pointer's slot that is not below floor. */
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
 * Finds bounds of the writer's position. upper < ring->head: the lap count went backwards. Of the ring, the function
 * changes only the members guard_gone, inexact, laps_state and newest, and the times of these members, for the next
 * exchange. live: see take_live(). now_us: the time of the commit.
 */
struct bounds find_writer(struct ring_inside *ring, const struct txtap_ring_plan *plan, const struct live live[2],
                          uint64_t now_us);

/*
 * Returns the position that the writer is known to have reached, which is the head of the next plan. If the pointer was
 * read twice, the function uses the second value. Call it before ring->laps is updated.
 */
uint64_t reached_position(const struct ring_inside *ring, const struct txtap_ring_plan *plan, struct bounds bounds,
                          const struct live live[2]);

/* Unwraps the header's 16-bit lap count, relative to the last count read. */
uint64_t unwrap_laps(const struct ring_inside *ring, uint16_t laps);

/*
 * ---- half-laps: the words that txtap's recorder keeps beside its buffer: pointer, half-laps, life ----
 *
 * With these words an exchange needs no other evidence. The functions below are only for a ring with half-lap words.
 */

/*
 * Initialises the reader from the words that were read when the ring was found. The header must have been read before
 * the words.
 */
void half_laps_init(struct ring_inside *ring, const struct txtap_ring_half_laps *words);

/*
 * Takes the words from the plan's answers. TXTAP_ERROR_MOVED: another trace is recorded into this ring.
 * TXTAP_ERROR_POINTER: an impossible pointer. TXTAP_AGAIN: the words no longer describe this ring, because the firmware
 * was reset or uses another buffer. After TXTAP_AGAIN the reader uses the evidence in the header instead.
 */
enum txtap_status half_laps_take(struct ring_inside *ring, const struct txtap_ring_plan *plan, struct live *live);

/*
 * Like find_writer(), for words that half_laps_take() accepted. upper < ring->head: the half-lap count went backwards.
 */
struct bounds half_laps_bounds(const struct ring_inside *ring, struct live live);

/*
 * Judges half-lap words that now describe another ring. Each exchange still reads these words last. TXTAP_OK: the words
 * still describe the trace in the other buffer, so this buffer has not changed since that trace began. TXTAP_AGAIN: the
 * firmware is setting up a trace, perhaps in this ring. TXTAP_ERROR_MOVED: the firmware set up a trace in this ring, or
 * a further trace in the other buffer.
 */
enum txtap_status half_laps_watch(const struct ring_inside *ring, const struct txtap_ring_plan *plan);

#endif
