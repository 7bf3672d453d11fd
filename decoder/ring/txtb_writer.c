/* SPDX-License-Identifier: MIT */
/* Finds the writer's position from its pointer and the evidence that confirms it. Delivers no entries. */
#include "ring/txtb_writer.h"

#include <string.h>

#include "base/bytes.h"
#include "txtap/event.h"
#include "txtap/inner/header.h"

#define SETTLE_US 50000 /* no writer pauses for this long between two stores */

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
 * Returns true if two reads of one slot, from offset GUARD_OFFSET on, show the same entry. Ignores information words
 * that the kernel may have written between the two reads.
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
 * Returns true if a state has lasted longer than any writer pauses between two stores. since_us: end of the exchange
 * that first saw the state. Time counts only from the end of that exchange to the begin of this exchange, because a
 * read may happen at any time within its exchange.
 */
static bool has_settled(const struct txtap_ring_plan *plan, uint64_t since_us)
{
    return plan->now_us >= since_us && plan->now_us - since_us >= SETTLE_US;
}

/*
 * Returns true if the writer has not moved for so long that it cannot be between two stores. now_us: the time of the
 * commit.
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
 * Sets the upper bound that follows from the pointer and a count read after it. While the pointer is at the ring's
 * start, the count may be one lap too low. Two facts exclude that: an intact guard, and a writer that rests.
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
 * Returns the bounds if laps are counted. At the end of the ring the recorder stores current = start, then laps + 1. So
 * the count of laps, read before the pointer, gives a position that the writer had reached. The count also proves that
 * the writer had not passed the end of this lap when the entries were read. That is enough for entries of this lap. For
 * entries of the lap before, the pointer tells how many are valid, if the count is read again after it. If entries will
 * be lost in any case, the reader does not wait for that proof. See "With the lap counter alone" in
 * docs/developer/reader-proof.md.
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
 * before this exchange. If it is intact after the pointer was read, the writer was less than a lap ahead. Otherwise the
 * next exchange is a recovery. See "The guard" in docs/developer/reader-proof-guard.md.
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
 * Returns the bounds if laps are not counted, and the reader may not have kept up. The order of reads is: the newest
 * known entry, the guard, entries, the pointer, the newest known entry again. If the guard is intact, the newest entry
 * is less than a lap ahead of it. If the guard is overwritten, an unknown number of laps was missed; the reader assumes
 * the fewest possible. If both reads of the newest entry are equal, everything read between the two belongs to one lap.
 * See "Recovery" in docs/developer/reader-proof-guard.md.
 */
static struct bounds recover_bounds(struct ring_inside *ring, const struct txtap_ring_plan *plan, struct live live,
                                    uint64_t now_us)
{
    uint64_t behind = guard_position(ring) + ring->entries; /* if the guard is gone, the writer has reached this
                                                               position */
    bool gone = guard_was_gone(ring, plan);
    bool within_lap = same_entry(ring, plan->newest_before, plan->newest_after);
    /*
     * If the guard was gone before, this exchange was planned for that. Losses in this exchange then show that the
     * reader is too slow.
     */
    bool just_gone = gone && (!ring->guard_gone || ring->guard_gone_us != 0);
    struct bounds bounds = {position_from(ring, plan->head, live.current), UNBOUNDED,
                            just_gone && within_lap && !ring->overtaken};

    ring->guard_gone = gone || plan->presume;
    if (gone) {
        bounds.lower = position_from(ring, max_u64(behind, plan->head), live.current);
        if (bounds.lower == behind) {
            /* The writer may be in the middle of the guard's slot, and nothing is lost yet. */
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
    /* A guard that was not read may be gone: the writer reached head, but an unknown number of laps ago. */
    ring->inexact = ring->inexact || plan->presume;
    ring->guard_gone_us = 0;
    /* A loss before the first entry may be any number of laps, unless laps are counted. So learn that first, too. */
    if (!ring->guard_known && ring->laps_state == TXTAP_LAPS_UNKNOWN &&
        bounds.lower >= ring->head_at_attach + ring->entries)
        return bounds;
    if (within_lap)
        bounds.upper = bounds.lower;
    return bounds;
}

/*
 * Learns whether the recorder counts laps. ThreadX leaves the field 0. A recorder that counts has a count above 0 once
 * the ring has wrapped. A ring found at lap 0 wraps at the position 2 * entries; the count is stored before the next
 * entry. A count above 0 decides at any time, because a recorder found after exactly 65,536 laps looks like ThreadX for
 * one lap.
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

/* Returns true if a valid entry is in a slot that, at lap 0, only the lap before can have written. */
static bool read_lap_before(const struct ring_inside *ring, const struct txtap_ring_plan *plan, struct bounds bounds)
{
    uint64_t position = max_u64(plan->first, bounds.upper - ring->readable);

    for (; position < plan->end && position < ring->entries; position++)
        if (is_written(entry_at(ring, plan, position) + TXTB_ENTRY_THREAD))
            return true;
    return false;
}

/*
 * Decides which lap entries after the pointer belong to, at lap 0. They belong to the lap before if the recorder does
 * not count. If it counts and has just passed the ring's end, they belong to this lap. A count that is still 0 after
 * the pointer was read excludes the second case, so the recorder does not count. The only exception: a count may lag
 * while the pointer is at the ring's start.
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
        /* Counting was just detected: this count is only a lower bound, and positions are absolute from now on. */
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
 * The recorder counts a half-lap before its pointer moves to the ring's middle or back to its start. So always
 *
 *   half_laps read after the pointer >= half-laps up to that pointer
 *
 * The number of half-laps up to a pointer is even in the first half of the ring, and odd in the second. So take the
 * largest number that is not above the count and matches the pointer's half. It is exact if the writer moved less than
 * half a lap between the two words. See "With half laps" in docs/developer/reader-proof.md.
 */

#define BACKWARDS 0x80000000u /* steps of the 32-bit count from here on are steps backwards */

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

/* Returns the last position in the pointer's slot that the count allows. 0: there is no such position. */
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
 * Returns a position that the writer has reached, at least floor. When the count was read, the writer had finished the
 * entry before the turn, although its pointer may not have passed that entry.
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

    /* The header's count was read before half_laps, so it may be lower by the laps counted between the two reads. */
    counted = (laps - min_u64(laps, (uint16_t)((uint16_t)laps - ring->header.laps)) + 1) * ring->entries;
    counted = position_from(ring, counted, ring->header.current);
    ring->half_laps_at = words->address;
    ring->life = words->life;
    ring->half_laps = words->half_laps;
    ring->laps = laps;
    ring->laps_state = TXTAP_LAPS_COUNTED;
    ring->head = lower(ring, counted, words->current, words->half_laps, most);
}

/* Switches to the evidence in the header. The header's count of laps may be one too low. */
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
    /* If the last exchange did not reach the writer, many entries may have been overwritten before this one. */
    struct bounds bounds = {.upper = upper(ring, live.current, live.half_laps), .stale = ring->behind};

    bounds.lower = lower(ring, ring->head, live.current, live.half_laps, bounds.upper);
    return bounds;
}

/*
 * Judges half-lap words of another ring. While a trace is being set up, the pointer is 0, and it is unknown where the
 * trace is.
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
