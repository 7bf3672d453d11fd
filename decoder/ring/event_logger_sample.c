/* SPDX-License-Identifier: MIT */
/* Where the writer of a logger's ring is: its tail, and the counts or the guard that confirm it. Delivers no events. */
#include "ring/event_logger_parts.h"

#include <string.h>

#include "base/min_max.h"

#define STANDSTILL_US 50000 /* a tail that stands still so long is not that of an event being written */

struct sample sample_take(const struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan)
{
    struct sample sample = {
        .head = sample_word(ring, plan->ring, 0),
        .tail = sample_word(ring, plan->ring, 1),
        .dropped = sample_word(ring, plan->ring, 2),
        .size = sample_word(ring, plan->ring, 3),
        .buffer = sample_word(ring, plan->ring, 4),
        .head_again = sample_word(ring, plan->again, 0),
        .tail_again = sample_word(ring, plan->again, 1),
        .dropped_again = sample_word(ring, plan->again, 2),
    };

    if (ring->place.totals != 0) {
        sample.words = sample_word(ring, plan->totals, 0);
        sample.events_dropped = sample_word(ring, plan->totals, 1);
        sample.words_after = sample_word(ring, plan->totals_after, 0);
        sample.events_dropped_after = sample_word(ring, plan->totals_after, 1);
    }
    if (ring->place.counts_events) {
        sample.events_put = sample_word(ring, plan->totals, 2);
        sample.events_put_after = sample_word(ring, plan->totals_after, 2);
    }
    return sample;
}

enum txtap_status sample_check(const struct txtap_logger_ring *ring, const struct sample *sample)
{
    if (sample->buffer != ring->place.buffer || sample->size != ring->place.size)
        return TXTAP_ERROR_MOVED;
    if (sample->head >= sample->size || sample->tail >= sample->size || sample->head_again >= sample->size ||
        sample->tail_again >= sample->size)
        return TXTAP_ERROR_POINTER;
    return TXTAP_OK;
}

uint32_t sample_distance(const struct txtap_logger_ring *ring, uint64_t from, uint32_t to)
{
    uint32_t size = ring->place.size, index = (uint32_t)(from % size);

    return to >= index ? to - index : to + size - index;
}

static bool guard_is_intact(const struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan)
{
    for (uint32_t i = 0; i < ring->guard_count; i++)
        if (sample_word(ring, plan->guard_after, i) != ring->guard_words[i])
            return false;
    return true;
}

bool sample_proves_first_guard(const struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan,
                               uint64_t tail)
{
    return tail == ring->head.position &&
           memcmp(ring->raw, plan->guard_after, 4 * (size_t)(plan->end - plan->first)) == 0;
}

void sample_keep_guard(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan)
{
    uint64_t fresh = min_u64(plan->end - plan->first, TXTAP_LOGGER_GUARD_WORDS);
    uint64_t kept = plan->first_guard ? 0 : min_u64(ring->guard_count, TXTAP_LOGGER_GUARD_WORDS - fresh);

    if (!plan->first_guard && ring->guard + ring->guard_count != plan->first)
        kept = 0;
    kept = min_u64(kept, ring->place.size - 1 - min_u64(fresh, ring->place.size - 1));
    memmove(ring->guard_words, ring->guard_words + (ring->guard_count - kept), (size_t)kept * 4);
    for (uint32_t i = 0; i < fresh; i++)
        ring->guard_words[kept + i] = sample_word(ring, ring->raw, (size_t)(plan->end - fresh - plan->first) + i);
    ring->guard = plan->end - fresh - kept;
    ring->guard_count = (uint32_t)(fresh + kept);
}

/*
 * The target stores the count of words after the tail. So the writer had reached the first count before the tail was
 * read; and if the count read afterwards is no larger than the tail, the writer has not lapped it unseen.
 */
static enum tail tail_by_totals(const struct txtap_logger_ring *ring, const struct sample *sample, uint64_t *tail)
{
    uint32_t moved = sample->words - ring->words_at_head, moved_after = sample->words_after - ring->words_at_head;
    uint64_t reached = ring->head.position + (moved < 0x80000000u ? moved : 0); /* the count may be behind the tail */

    if (sample->words - ring->words_seen >= 0x80000000u || sample->words_after - sample->words >= 0x80000000u)
        return TAIL_RESTARTED; /* it never goes back */
    *tail = reached + sample_distance(ring, reached, sample->tail);
    if (moved_after < 0x80000000u && ring->head.position + moved_after > *tail)
        return TAIL_UNKNOWN;
    return TAIL_FOUND;
}

/* Without counts: if the words before the old tail are unchanged, the writer has not lapped it. */
static enum tail tail_by_guard(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan,
                               const struct sample *sample, uint64_t now_us, uint64_t *tail)
{
    uint32_t moved = sample_distance(ring, ring->head.position, sample->tail);

    *tail = ring->head.position + moved;
    /* A tail further than that: the guard had been overwritten before it was read. */
    if (ring->gone_us == 0 && guard_is_intact(ring, plan) && *tail <= ring->guard + ring->place.size)
        return TAIL_FOUND;
    if (moved == 0 && ring->gone_us == 0)
        ring->gone_us = now_us;
    if (moved == 0 && (plan->begin_us < ring->gone_us || plan->begin_us - ring->gone_us < STANDSTILL_US))
        return TAIL_UNKNOWN; /* the writer may be at work there */
    ring->gone_us = 0;
    *tail += ring->place.size;
    return TAIL_LAPPED;
}

enum tail sample_find_tail(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan,
                           const struct sample *sample, uint64_t now_us, uint64_t *tail)
{
    *tail = ring->head.position;
    if (ring->from == TXTAP_RING_AT_REST)
        return TAIL_FOUND;
    return ring->place.totals != 0 ? tail_by_totals(ring, sample, tail)
                                   : tail_by_guard(ring, plan, sample, now_us, tail);
}
