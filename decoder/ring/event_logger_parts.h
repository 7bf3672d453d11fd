/* SPDX-License-Identifier: MIT */
/* The parts of the reader of an event logger's ring. */
#ifndef TXTAP_DECODER_RING_EVENT_LOGGER_PARTS_H
#define TXTAP_DECODER_RING_EVENT_LOGGER_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "txtap/event_logger.h"

/* ---- what one exchange shows of the ring, and which position its tail has ---- */

/* The ring's words, its first three read again, and the totals before and after them. */
struct sample {
    uint32_t head, tail, dropped, size, buffer, head_again, tail_again, dropped_again;
    uint32_t words, events_dropped, events_put, words_after, events_dropped_after, events_put_after;
};

static inline uint32_t sample_word(const struct txtap_logger_ring *ring, const uint8_t *bytes, size_t i)
{
    return bytes_u32(bytes + 4 * i, ring->place.endian);
}

struct sample sample_take(const struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan);

/* TXTAP_ERROR_MOVED: another buffer. TXTAP_ERROR_POINTER: head or tail is outside the ring. */
enum txtap_status sample_check(const struct txtap_logger_ring *ring, const struct sample *sample);

/* Words from a position up to the next position with that index. */
uint32_t sample_distance(const struct txtap_logger_ring *ring, uint64_t from, uint32_t to);

/* Without totals only a guard shows laps: words that were read, and are read again to see whether they changed. */
static inline bool sample_needs_guard(const struct txtap_logger_ring *ring)
{
    return ring->place.totals == 0 && ring->from != TXTAP_RING_AT_REST;
}

/*
 * The first guard is the words before the tail. It is good if the tail is the planned one (otherwise the event being
 * written may have reached it), and if nothing was written there between the two reads of it.
 */
bool sample_proves_first_guard(const struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan,
                               uint64_t tail);

/* Makes the newest words read, now and before, the guard. */
void sample_keep_guard(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan);

enum tail {
    TAIL_FOUND,
    TAIL_LAPPED,    /* the writer has lapped the old tail: *tail is the least that it may be */
    TAIL_UNKNOWN,   /* read again */
    TAIL_RESTARTED, /* the logger restarted */
};

/* The position of the tail that was read: *tail. now_us: the commit's. */
enum tail sample_find_tail(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan,
                           const struct sample *sample, uint64_t now_us, uint64_t *tail);

/* ---- the valid events in the copy, and how many are missing between them ---- */

#ifndef DROPPED_MAX
#define DROPPED_MAX 255u /* the largest count of dropped events in an event's header */
#endif

/*
 * Makes the events between next and confirmed ready to be taken, with the loss before them. Waits while the size of a
 * loss may still become known, unless now is true.
 */
void walk_emit(struct txtap_logger_ring *ring, bool now);

/* Emits a gap behind all events emitted so far. */
void walk_gap(struct txtap_logger_ring *ring, uint64_t lost, bool exact);

#endif
