/* SPDX-License-Identifier: MIT */
/*
 * Half-laps. The recorder counts one more before its pointer moves to the ring's middle or back to its start. So
 *
 *     half_laps read behind the pointer >= half-laps up to that pointer
 *
 * always, and as the number up to a pointer is even in the first half and odd in the second, the largest such number
 * that suits the pointer's half is right if the writer moved less than half a lap between the two words.
 */
#include "ring/txtb_half_laps.h"

#include "base/bytes.h"

#define BACKWARDS 0x80000000u /* a step of the 32-bit count that is no step forwards */

enum { OFFSET_CURRENT = 0, OFFSET_HALF_LAPS = 4, OFFSET_LIFE = 8 };

static uint32_t middle(const struct txtap_ring *ring)
{
    return ring->entries / 2;
}

/* The position at which the count becomes half_laps. */
static uint64_t turn(const struct txtap_ring *ring, uint64_t half_laps)
{
    return (half_laps / 2 + 1) * ring->entries + (half_laps % 2) * middle(ring);
}

/* The last position in the pointer's slot that the count allows. 0: none. */
static uint64_t upper(const struct txtap_ring *ring, uint32_t current, uint64_t half_laps)
{
    uint32_t slot = txtap_header_slot(&ring->header, current);
    uint64_t of_second_half = slot >= middle(ring) && middle(ring) > 0;

    if (half_laps < of_second_half)
        return 0;
    half_laps -= of_second_half;
    return (half_laps / 2 + 1) * ring->entries + slot;
}

/*
 * A position that the writer has reached, not less than floor. When the count was read, it had finished the entry in
 * front of the turn, though the pointer may not have passed it yet.
 */
static uint64_t lower(const struct txtap_ring *ring, uint64_t floor, uint32_t current, uint64_t half_laps,
                      uint64_t most)
{
    uint64_t counted = turn(ring, half_laps) - 1;

    return max_u64(position_from(ring, floor, current), min_u64(most, counted));
}

void half_laps_init(struct txtap_ring *ring, const struct txtap_ring_half_laps *words)
{
    uint64_t laps = words->half_laps / 2, most = upper(ring, words->current, words->half_laps), counted;

    /* The header's count was read before, and may be behind by what was counted since. */
    counted = (laps - min_u64(laps, (uint16_t)((uint16_t)laps - ring->header.laps)) + 1) * ring->entries;
    counted = position_from(ring, counted, ring->header.current);
    ring->half_laps_at = words->address;
    ring->life = words->life;
    ring->half_laps = words->half_laps;
    ring->laps = laps;
    ring->laps_state = TXTAP_LAPS_COUNTED;
    ring->head = lower(ring, counted, words->current, words->half_laps, most);
}

/* The header's count of laps may be one behind. */
static void leave(struct txtap_ring *ring, uint32_t life)
{
    ring->left_words_at = ring->half_laps_at;
    ring->half_laps_at = 0;
    ring->life = life;
    ring->laps = ring->half_laps > 0 ? (ring->half_laps - 1) / 2 : 0;
}

enum txtap_status half_laps_take(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct live *live)
{
    const struct txtap_header *header = &ring->header;
    uint32_t life = bytes_u32(plan->live + OFFSET_LIFE, header->endian);
    bool same_life = life == ring->life;

    live->current = bytes_u32(plan->live + OFFSET_CURRENT, header->endian);
    live->half_laps = ring->half_laps +
                      (uint32_t)(bytes_u32(plan->live + OFFSET_HALF_LAPS, header->endian) - (uint32_t)ring->half_laps);
    if (!txtap_header_is_slot(header, live->current)) {
        if (same_life)
            return TXTAP_ERROR_POINTER;
        leave(ring, life);
        return TXTAP_AGAIN;
    }
    if (!same_life || live->half_laps - ring->half_laps >= BACKWARDS)
        return TXTAP_ERROR_MOVED;
    return TXTAP_OK;
}

struct bounds half_laps_bounds(const struct txtap_ring *ring, struct live live)
{
    /* If head is from an exchange that showed too little, much may have been overwritten before this one. */
    struct bounds bounds = {.upper = upper(ring, live.current, live.half_laps), .stale = ring->behind};

    bounds.lower = lower(ring, ring->head, live.current, live.half_laps, bounds.upper);
    return bounds;
}

/* While a trace is being set up the pointer is 0, and nobody knows where it will be. */
enum txtap_status half_laps_watch(const struct txtap_ring *ring, const struct txtap_ring_plan *plan)
{
    const struct txtap_header *header = &ring->header;
    uint32_t current = bytes_u32(plan->left_words + OFFSET_CURRENT, header->endian);
    uint32_t life = bytes_u32(plan->left_words + OFFSET_LIFE, header->endian);

    if (life != ring->life || txtap_header_is_slot(header, current))
        return TXTAP_ERROR_MOVED;
    return current == 0 && life != 0 ? TXTAP_AGAIN : TXTAP_OK;
}
