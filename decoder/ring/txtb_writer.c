/* SPDX-License-Identifier: MIT */
/*
 * Finds the writer's position from the pointer and from the evidence that confirms this position. Delivers no entries.
 */
#include "ring/txtb_writer.h"

#include <string.h>

#include "base/bytes.h"
#include "txtap/event.h"
#include "txtap/inner/header.h"

#define SETTLE_US 50000 /* microseconds; no writer pauses for this time between two stores */

/* ---- the live words ---- */

/* Compares the header words that stay the same during a trace. */
static bool same_geometry(const struct txtap_header *header, struct bytes *b)
{
    uint16_t laps, name_bytes;
    uint32_t registry_end, ring_start, ring_end;
    bool ok = bytes_take_u16(b, header->endian, &laps) && bytes_take_u16(b, header->endian, &name_bytes) &&
              bytes_take_u32(b, header->endian, &registry_end) && bytes_take_u32(b, header->endian, &ring_start) &&
              bytes_take_u32(b, header->endian, &ring_end);

    return ok && name_bytes == header->name_bytes && registry_end == header->registry_end &&
           ring_start == header->ring_start && ring_end == header->ring_end;
}

/* Takes the header's live words. whole: words contains all live words; false: words contains only the pointer. */
static enum txtap_status take_words(const struct ring_inside *ring, const uint8_t *words, bool whole, struct live *live)
{
    const struct txtap_header *header = &ring->header;
    struct bytes b = {words, whole ? sizeof((struct txtap_ring_plan *)0)->live : 4};

    live->laps = whole ? bytes_u16(words, header->endian) : 0;
    if (whole && !same_geometry(header, &b))
        return TXTAP_ERROR_MOVED;
    if (!bytes_take_u32(&b, header->endian, &live->current) || live->current < header->ring_start ||
        live->current >= header->ring_end || (live->current - header->ring_start) % TXTB_ENTRY_BYTES != 0)
        return TXTAP_ERROR_POINTER;
    return TXTAP_OK;
}

enum txtap_status take_live(const struct ring_inside *ring, const struct txtap_ring_plan *plan, struct live live[2])
{
    enum txtap_status status = take_words(ring, plan->live, plan->whole_live, &live[0]);

    live[1] = live[0];
    return status == TXTAP_OK && plan->again ? take_words(ring, plan->live_after, true, &live[1]) : status;
}

/* ---- the evidence ---- */

/*
 * Returns true if a and b, two reads of the same slot from offset GUARD_OFFSET on, show the same entry. Ignores
 * information words that the kernel may have written between the two reads.
 */
static bool same_guard(const struct ring_inside *ring, const uint8_t *a, const uint8_t *b, size_t length)
{
    const struct txtap_event_info *info;

    if (memcmp(a, b, 8) != 0)
        return false;
    info = txtap_event_find(bytes_u32(a, ring->header.endian) & TXTAP_EVENT_ID_MASK, 0);
    for (unsigned i = 0; 8 + 4 * i < length; i++) {
        bool patched = info && (info->patched >> i & 1);

        if (!patched && memcmp(a + 8 + 4 * i, b + 8 + 4 * i, 4) != 0)
            return false;
    }
    return true;
}

static bool same_entry(const struct ring_inside *ring, const uint8_t *a, const uint8_t *b)
{
    return memcmp(a, b, GUARD_OFFSET) == 0 &&
           same_guard(ring, a + GUARD_OFFSET, b + GUARD_OFFSET, TXTB_ENTRY_BYTES - GUARD_OFFSET);
}

uint64_t unwrap_laps(const struct ring_inside *ring, uint16_t laps)
{
    return ring->laps + (uint16_t)(laps - (uint16_t)ring->laps);
}

/*
 * Returns true if a state has lasted at least SETTLE_US, which is longer than the pause of any writer between two
 * stores. since_us: end of the exchange that first saw the state. A read may happen at any time within an exchange, so
 * only the time from since_us to the begin of this exchange counts.
 */
static bool has_settled(const struct txtap_ring_plan *plan, uint64_t since_us)
{
    return plan->now_us >= since_us && plan->now_us - since_us >= SETTLE_US;
}

/*
 * Returns true if the writer has not moved for at least SETTLE_US, and so is not between two stores. now_us: time of
 * the commit.
 */
static bool writer_rests(struct ring_inside *ring, const struct txtap_ring_plan *plan, uint64_t now_us)
{
    if (!plan->at_start && !plan->recover)
        return false;
    if (ring->newest_since_us == 0 || memcmp(ring->newest, plan->newest_after, sizeof ring->newest) != 0) {
        memcpy(ring->newest, plan->newest_after, sizeof ring->newest);
        ring->newest_since_us = now_us;
    }
    return has_settled(plan, ring->newest_since_us);
}

/*
 * Sets the upper bound from the pointer and the lap count that was read after the pointer. While the pointer is at the
 * ring's start, the count may be too low by one. Either of two facts excludes this error: the guard is intact, or the
 * writer rests.
 */
static void bound_by_pointer(struct ring_inside *ring, const struct txtap_ring_plan *plan, const struct live live[2],
                             uint64_t now_us, struct bounds *bounds)
{
    uint64_t more = unwrap_laps(ring, live[1].laps) - unwrap_laps(ring, live[0].laps);

    bounds->upper = bounds->lower + more * ring->entries;
    bounds->stale = false;
    if (live[0].current == ring->header.ring_start && !writer_rests(ring, plan, now_us)) {
        bounds->upper += ring->entries;
        bounds->stale = more == 0;
    }
    if (plan->guard && same_guard(ring, ring->guard, plan->guard_after, TXTAP_RING_GUARD_BYTES)) {
        /* the writer has not passed the guard's slot again */
        uint64_t within_lap = position_from(ring, ring->read_end, live[0].current);

        if (within_lap >= bounds->lower)
            bounds->upper = min_u64(bounds->upper, within_lap);
    }
}

/*
 * Returns the bounds if laps are counted. At the ring's end the recorder first stores the new pointer (the ring's
 * start), and then the new lap count. So a count that is read before the pointer gives a position that the writer has
 * reached. This count also proves that the writer had not passed the end of this lap when the entries were read. For
 * entries of this lap, that proof is enough. For entries of the preceding lap, the pointer shows how many are valid, if
 * the count is read again after the pointer. If entries will be lost in any case, the reader does not wait for this
 * second read. See "With the lap counter alone" in docs/developer/reader-proof.md.
 */
static struct bounds laps_bounds(struct ring_inside *ring, const struct txtap_ring_plan *plan,
                                 const struct live live[2], uint64_t now_us)
{
    uint64_t before = unwrap_laps(ring, live[0].laps), after = unwrap_laps(ring, live[1].laps);
    uint64_t reached = position_from(ring, (before + 1) * ring->entries, live[0].current);
    uint64_t lap_end = (before + 2) * ring->entries;
    bool this_lap = plan->first > lap_end - ring->entries;
    struct bounds bounds = {reached, UNBOUNDED, !this_lap};

    if (before - ring->laps > LAPS_BACKWARDS || after - before > LAPS_BACKWARDS)
        return (struct bounds){0, 0, false};
    if (plan->again)
        bound_by_pointer(ring, plan, live, now_us, &bounds);
    if (this_lap || ring->overtaken)
        bounds.upper = min_u64(bounds.upper, lap_end);
    return bounds;
}

/*
 * Returns the bounds if laps are not counted, and the reader keeps up. The guard is the newest entry that was read
 * before this exchange. If the guard is intact after the pointer was read, the writer was less than a lap ahead.
 * Otherwise the next exchange is a recovery. See "The guard" in docs/developer/reader-proof-guard.md.
 */
static struct bounds guard_bounds(struct ring_inside *ring, const struct txtap_ring_plan *plan, struct live live)
{
    struct bounds bounds = {position_from(ring, plan->head, live.current), UNBOUNDED, true};

    ring->guard_gone = !same_guard(ring, ring->guard, plan->guard_after, TXTAP_RING_GUARD_BYTES);
    if (!ring->guard_gone)
        bounds.upper = bounds.lower;
    return bounds;
}

/* Returns true if the guard was overwritten before the exchange. Returns false if the guard was not read. */
static bool guard_was_gone(const struct ring_inside *ring, const struct txtap_ring_plan *plan)
{
    if (plan->presume)
        return false;
    if (guards_last_slot(ring))
        return is_written(plan->guard_before + TXTB_ENTRY_THREAD);
    return ring->guard_known && !same_guard(ring, ring->guard, plan->guard_before, TXTAP_RING_GUARD_BYTES);
}

/*
 * Returns the bounds if laps are not counted, and the writer may have lapped the reader. The reads are in this order:
 * the newest known entry, the guard, entries, the pointer, the newest known entry again. If the guard is intact, the
 * newest entry is less than a lap ahead of the guard. If the guard is overwritten, the reader missed an unknown number
 * of laps, and assumes the fewest possible. If both reads of the newest entry are equal, everything between these reads
 * belongs to one lap. See "Recovery" in docs/developer/reader-proof-guard.md.
 */
static struct bounds recover_bounds(struct ring_inside *ring, const struct txtap_ring_plan *plan, struct live live,
                                    uint64_t now_us)
{
    uint64_t behind = guard_position(ring) + ring->entries; /* least position of the writer if the guard is gone */
    bool gone = guard_was_gone(ring, plan);
    bool within_lap = same_entry(ring, plan->newest_before, plan->newest_after);
    /*
     * If an earlier exchange saw that the guard was overwritten, this exchange was planned for that. Losses in this
     * exchange then show that the reader is too slow.
     */
    bool just_gone = gone && (!ring->guard_gone || ring->guard_gone_us != 0);
    struct bounds bounds = {position_from(ring, plan->head, live.current), UNBOUNDED,
                            just_gone && within_lap && !ring->overtaken};

    ring->guard_gone = gone || plan->presume;
    if (gone) {
        bounds.lower = position_from(ring, max_u64(behind, plan->head), live.current);
        if (bounds.lower == behind) {
            /* The writer may be writing the guard's slot now. In that case nothing is lost yet. */
            if (ring->guard_gone_us == 0)
                ring->guard_gone_us = now_us;
            if (!has_settled(plan, ring->guard_gone_us)) {
                bounds.stale = true;
                return bounds;
            }
            bounds.lower += ring->entries;
        }
        if (ring->laps_state != TXTAP_LAPS_NONE) {
            bounds.stale = true;
            return bounds; /* first learn whether laps are counted */
        }
        ring->inexact = true;
    }
    /* If the guard was not read, it may be overwritten. The writer may then have completed any number of laps since
     * head. */
    ring->inexact = ring->inexact || plan->presume;
    ring->guard_gone_us = 0;
    /* If laps are not counted, a loss before the first entry may be any number of laps. So first learn whether laps are
     * counted. */
    if (!ring->guard_known && ring->laps_state == TXTAP_LAPS_UNKNOWN &&
        bounds.lower >= ring->head_at_attach + ring->entries)
        return bounds;
    if (within_lap)
        bounds.upper = bounds.lower;
    return bounds;
}

/*
 * Learns whether the recorder counts laps. ThreadX leaves the count 0. In a recorder that counts, the count is above 0
 * once the ring has wrapped. A ring that was found at lap 0 wraps at the position 2 * entries, and the recorder stores
 * the count before the next entry. A count above 0 proves at any time that laps are counted. This matters after exactly
 * 65,536 laps: the count is then 0 for one lap, and the recorder looks like ThreadX.
 */
static void learn_laps(struct ring_inside *ring, const struct txtap_ring_plan *plan, const struct live live[2],
                       uint64_t now_us)
{
    bool gone = plan->recover && guard_was_gone(ring, plan);
    uint64_t reached = gone ? max_u64(plan->head, guard_position(ring) + ring->entries) : plan->head;
    uint64_t wrapped = 2 * (uint64_t)ring->entries;

    if (!plan->whole_live)
        return;
    if (live[0].laps != 0 || live[1].laps != 0)
        ring->laps_state = TXTAP_LAPS_COUNTED;
    else if (reached > wrapped || (reached == wrapped && writer_rests(ring, plan, now_us)))
        ring->laps_state = TXTAP_LAPS_NONE;
}

/*
 * Returns true if a slot contains a valid entry that, with a true lap count of 0, would be from a lap before the first
 * lap.
 */
static bool read_lap_before(const struct ring_inside *ring, const struct txtap_ring_plan *plan, struct bounds bounds)
{
    uint64_t position = max_u64(plan->first, bounds.upper - ring->readable);

    for (; position < plan->end && position < ring->entries; position++)
        if (is_written(entry_at(ring, plan, position) + TXTB_ENTRY_THREAD))
            return true;
    return false;
}

/*
 * Decides to which lap the entries after the pointer belong if the lap count is 0. There are two cases. If the recorder
 * does not count laps, these entries belong to the preceding lap. If it counts laps and has just passed the ring's end,
 * they belong to this lap. A count that is still 0 after the pointer was read excludes the second case, with one
 * exception: while the pointer is at the ring's start, the new count may not be stored yet.
 */
static void weigh_lap_before(struct ring_inside *ring, const struct txtap_ring_plan *plan, struct live live,
                             uint64_t now_us, struct bounds *bounds)
{
    bool may_follow;

    if (ring->laps_state != TXTAP_LAPS_UNKNOWN || ring->started || ring->readable == ring->entries ||
        bounds->upper == UNBOUNDED || !read_lap_before(ring, plan, *bounds))
        return;
    may_follow = live.current == ring->header.ring_start && !writer_rests(ring, plan, now_us);
    if (may_follow)
        *bounds = (struct bounds){bounds->lower, UNBOUNDED, true};
    else
        ring->laps_state = TXTAP_LAPS_NONE;
}

struct bounds find_writer(struct ring_inside *ring, const struct txtap_ring_plan *plan, const struct live live[2],
                          uint64_t now_us)
{
    struct bounds bounds;

    if (ring->laps_state == TXTAP_LAPS_COUNTED)
        return laps_bounds(ring, plan, live, now_us);
    learn_laps(ring, plan, live, now_us);
    bounds = plan->recover ? recover_bounds(ring, plan, live[0], now_us) : guard_bounds(ring, plan, live[0]);
    if (ring->laps_state == TXTAP_LAPS_COUNTED) {
        /* This exchange detected that laps are counted. The count is only a lower bound here. From now on positions are
         * absolute. */
        uint64_t counted = position_from(ring, (unwrap_laps(ring, live[0].laps) + 1) * ring->entries, live[0].current);

        return (struct bounds){max_u64(bounds.lower, counted), UNBOUNDED, true};
    }
    weigh_lap_before(ring, plan, live[0], now_us, &bounds);
    return bounds;
}

uint64_t reached_position(const struct ring_inside *ring, const struct txtap_ring_plan *plan, struct bounds bounds,
                          const struct live live[2])
{
    if (!plan->again)
        return bounds.lower;
    if (ring->laps_state == TXTAP_LAPS_COUNTED)
        return max_u64(bounds.lower,
                       position_from(ring, (unwrap_laps(ring, live[1].laps) + 1) * ring->entries, live[1].current));
    return position_from(ring, bounds.lower, live[1].current);
}

/* ---- half-laps ---- */

/*
 * The recorder increments half_laps before its pointer moves to the ring's middle or back to the ring's start. So this
 * is always true:
 *
 *   half_laps read after the pointer >= half-laps up to that pointer
 *
 * The number of half-laps up to a pointer is even if the pointer is in the first half of the ring, and odd if it is in
 * the second half. So the code takes the largest number that is not above the count and that matches the pointer's
 * half. This number is exact if the writer moved less than half a lap between the reads of the two words. See "With
 * half laps" in docs/developer/reader-proof.md.
 */

#define BACKWARDS 0x80000000u /* a step of the 32-bit count by this number or more is a step backwards */

enum { OFFSET_CURRENT = 0, OFFSET_HALF_LAPS = 4, OFFSET_LIFE = 8 };

static uint32_t middle(const struct ring_inside *ring)
{
    return ring->entries / 2;
}

/* Returns the position that the writer reaches when the count becomes half_laps. */
static uint64_t turn(const struct ring_inside *ring, uint64_t half_laps)
{
    return (half_laps / 2 + 1) * ring->entries + (half_laps % 2) * middle(ring);
}

/* Returns the highest position in the pointer's slot that the count allows; 0 if there is no such position. */
static uint64_t upper(const struct ring_inside *ring, uint32_t current, uint64_t half_laps)
{
    uint32_t slot = txtap_header_slot(&ring->header, current);
    uint64_t of_second_half = slot >= middle(ring) && middle(ring) > 0;

    if (half_laps < of_second_half)
        return 0;
    half_laps -= of_second_half;
    return (half_laps / 2 + 1) * ring->entries + slot;
}

/*
 * Returns a position, at least floor, that the writer has reached. When the count was read, the writer had finished the
 * entry before turn(half_laps), even if its pointer was still at that entry.
 */
static uint64_t lower(const struct ring_inside *ring, uint64_t floor, uint32_t current, uint64_t half_laps,
                      uint64_t most)
{
    uint64_t counted = turn(ring, half_laps) - 1;

    return max_u64(position_from(ring, floor, current), min_u64(most, counted));
}

void half_laps_init(struct ring_inside *ring, const struct txtap_ring_half_laps *words)
{
    uint64_t laps = words->half_laps / 2, most = upper(ring, words->current, words->half_laps), counted;

    /* The header's lap count was read before half_laps. It may be lower, by the laps that the writer completed between
     * the two reads. */
    counted = (laps - min_u64(laps, (uint16_t)((uint16_t)laps - ring->header.laps)) + 1) * ring->entries;
    counted = position_from(ring, counted, ring->header.current);
    ring->half_laps_at = words->address;
    ring->life = words->life;
    ring->half_laps = words->half_laps;
    ring->laps = laps;
    ring->laps_state = TXTAP_LAPS_COUNTED;
    ring->head = lower(ring, counted, words->current, words->half_laps, most);
}

/* Switches to the evidence in the header. The header's lap count may be too low by one. */
static void leave(struct ring_inside *ring, uint32_t life)
{
    ring->left_words_at = ring->half_laps_at;
    ring->half_laps_at = 0;
    ring->life = life;
    ring->laps = ring->half_laps > 0 ? (ring->half_laps - 1) / 2 : 0;
}

enum txtap_status half_laps_take(struct ring_inside *ring, const struct txtap_ring_plan *plan, struct live *live)
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

struct bounds half_laps_bounds(const struct ring_inside *ring, struct live live)
{
    /* If the last exchange did not reach the writer, the writer may have overwritten many entries before this
     * exchange. */
    struct bounds bounds = {.upper = upper(ring, live.current, live.half_laps), .stale = ring->behind};

    bounds.lower = lower(ring, ring->head, live.current, live.half_laps, bounds.upper);
    return bounds;
}

/*
 * Judges half-lap words that describe another ring. While the firmware sets up a trace, the pointer is 0, and the
 * address of the new trace is unknown.
 */
enum txtap_status half_laps_watch(const struct ring_inside *ring, const struct txtap_ring_plan *plan)
{
    const struct txtap_header *header = &ring->header;
    uint32_t current = bytes_u32(plan->left_words + OFFSET_CURRENT, header->endian);
    uint32_t life = bytes_u32(plan->left_words + OFFSET_LIFE, header->endian);

    if (life != ring->life || txtap_header_is_slot(header, current))
        return TXTAP_ERROR_MOVED;
    return current == 0 && life != 0 ? TXTAP_AGAIN : TXTAP_OK;
}
