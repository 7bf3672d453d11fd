/* SPDX-License-Identifier: MIT */
/*
 * The ring reader: plans exchanges and judges their answers. Knows positions, never I/O; entries' meaning matters to it
 * only where the kernel writes a field late. The writer may move between any two words read.
 */
#include "txtap/ring.h"

#include <assert.h>
#include <string.h>

#include "bytes.h"
#include "ring_pace.h"
#include "txtap/event.h"

#define LIVE_OFFSET      TXTB_HEADER_LAPS /* laps and name size, registry end, ring start and end, current */
#define GUARD_OFFSET     TXTB_ENTRY_ID    /* behind it: id, stamp, info 1..3 */
#define SETTLE_US        50000            /* no writer is stopped between two stores that long */
#define LAPS_BACKWARDS   32767            /* a larger step of the 16-bit count is one backwards: the count began anew */
#define UNBOUNDED        UINT64_MAX
#define STANDSTILL_RINGS 4u

/* What the pointer and its witnesses say of the writer's position when the pointer was read. */
struct bounds {
    uint64_t lower;
    uint64_t upper; /* UNBOUNDED: nothing read in this exchange can be trusted */
    bool stale;     /* what is missing was overwritten before this exchange began, as far as is known */
};

struct live {
    uint32_t current;
    uint16_t laps;
};

static uint32_t slot_address(const struct txtap_ring *ring, uint64_t position)
{
    return ring->header.ring_start + (uint32_t)(position % ring->entries) * TXTB_ENTRY_BYTES;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The smallest position >= floor whose slot is the pointer's. */
static uint64_t position_from(const struct txtap_ring *ring, uint64_t floor, uint32_t current)
{
    uint64_t slot = (current - ring->header.ring_start) / TXTB_ENTRY_BYTES;
    uint64_t distance = (slot + ring->entries - floor % ring->entries) % ring->entries;

    return floor + distance;
}

void txtap_ring_init(struct txtap_ring *ring, const struct txtap_header *header, uint32_t address, uint8_t *buffer,
                     uint32_t buffer_entries, enum txtap_ring_from from)
{
    assert(buffer_entries >= TXTAP_RING_BUFFER_MIN);
    memset(ring, 0, sizeof *ring);
    ring->header = *header;
    ring->address = address;
    ring->entries = txtap_header_ring_entries(header);
    ring->readable = from == TXTAP_RING_STILL ? ring->entries : ring->entries - 1;
    ring->buffer = buffer;
    ring->buffer_entries = buffer_entries;
    ring->laps_state = header->laps ? TXTAP_LAPS_COUNTED : TXTAP_LAPS_UNKNOWN;
    ring->laps = header->laps;
    ring->head = position_from(ring, (ring->laps + 1) * ring->entries, header->current);
    ring->met = ring->head;
    ring->start = ring->head - (from == TXTAP_RING_FROM_NOW ? 0 : ring->readable);
    /* One entry before the first that comes is read too: it becomes the guard. */
    ring->next = from == TXTAP_RING_FROM_NOW ? ring->head - 1 : ring->start;
    ring->read_end = ring->next;
}

uint64_t txtap_ring_unread(const struct txtap_ring *ring)
{
    return ring->head > ring->read_end ? ring->head - ring->read_end : 0;
}

uint64_t txtap_ring_held(const struct txtap_ring *ring)
{
    return ring->read_end - ring->next;
}

/* ---- plan ---- */

static void plan_read(struct txtap_ring_plan *plan, uint32_t address, uint32_t length, uint8_t *buffer)
{
    assert(plan->count < TXTAP_RING_READS_MAX);
    plan->reads[plan->count++] = (struct txtap_read){address, length, buffer};
}

static void plan_guard(const struct txtap_ring *ring, struct txtap_ring_plan *plan, uint8_t *buffer)
{
    plan_read(plan, slot_address(ring, ring->read_end - 1) + GUARD_OFFSET, TXTAP_RING_GUARD_BYTES, buffer);
}

static void plan_newest(const struct txtap_ring *ring, struct txtap_ring_plan *plan, uint8_t *buffer)
{
    plan_read(plan, slot_address(ring, ring->head - 1), TXTB_ENTRY_BYTES, buffer);
}

/* Zero to two address ranges: a range that passes the ring's end is two. */
static void plan_entries(const struct txtap_ring *ring, struct txtap_ring_plan *plan)
{
    uint64_t slot = plan->first % ring->entries;
    uint64_t count = plan->end - plan->first;
    uint64_t before_wrap = min_u64(count, ring->entries - slot);

    if (count == 0)
        return;
    plan_read(plan, slot_address(ring, plan->first), (uint32_t)before_wrap * TXTB_ENTRY_BYTES, ring->buffer);
    if (count > before_wrap)
        plan_read(plan, ring->header.ring_start, (uint32_t)(count - before_wrap) * TXTB_ENTRY_BYTES,
                  ring->buffer + before_wrap * TXTB_ENTRY_BYTES);
}

static bool held_is_due(const struct txtap_ring *ring, uint64_t now_us)
{
    return txtap_ring_held(ring) > 0 && now_us - ring->held_us[0] >= TXTAP_RING_HOLD_US;
}

/*
 * Which entries to read. Oldest first, from the first not delivered. Once the writer overtook a read, reading what it
 * will have overwritten by the end of the exchange is a waste: as many of the newest are read as will still be there.
 */
static void plan_range(const struct txtap_ring *ring, struct txtap_ring_plan *plan, uint64_t now_us)
{
    uint64_t oldest = ring->head - ring->readable;
    uint64_t room = min_u64(ring->buffer_entries, ring->readable);
    uint64_t first = max_u64(ring->next, oldest);

    plan->first = plan->end = ring->next;
    if (ring->head == ring->read_end && !held_is_due(ring, now_us))
        return;
    if (ring->overtaken) {
        room = min_u64(room, max_u64(ring_pace_fit(&ring->pace, ring->readable), 1));
        first = max_u64(first, oldest + min_u64(ring_pace_predict(&ring->pace, room), ring->readable - 1));
        if (first <= ring->read_end) /* what is held back is read again, and must not be all */
            room = max_u64(room, ring->read_end - first + 1);
    }
    plan->first = first;
    plan->end = min_u64(ring->head, first + room);
}

void txtap_ring_plan(struct txtap_ring *ring, struct txtap_ring_plan *plan, uint64_t now_us)
{
    bool counted = ring->laps_state == TXTAP_LAPS_COUNTED;
    bool entries;

    memset(plan, 0, sizeof *plan);
    plan->head = ring->head;
    plan->now_us = now_us;
    plan_range(ring, plan, now_us);
    entries = plan->end > plan->first;

    /* With the lap counter only one case needs more than the counter: see laps_bounds(). */
    plan->at_start = counted && entries && ring->head % ring->entries == 0;
    plan->recover = !counted && (ring->guard_known ? ring->guard_gone || ring->overtaken : entries);
    plan->whole_live = counted || entries || plan->recover;
    plan->laps_again = counted;
    plan->guard = ring->guard_known && (counted ? plan->at_start : !plan->recover);

    if (plan->recover) {
        plan_newest(ring, plan, plan->newest_before);
        plan_guard(ring, plan, plan->guard_before);
    }
    plan_entries(ring, plan);
    if (plan->whole_live)
        plan_read(plan, ring->address + LIVE_OFFSET, sizeof plan->live, plan->live);
    else
        plan_read(plan, ring->address + TXTB_HEADER_CURRENT, 4, plan->live);
    if (plan->laps_again)
        plan_read(plan, ring->address + LIVE_OFFSET, sizeof plan->laps_after, plan->laps_after);
    if (plan->recover || plan->at_start)
        plan_newest(ring, plan, plan->newest_after);
    if (plan->guard)
        plan_guard(ring, plan, plan->guard_after);
}

/* ---- commit: the live words ---- */

static uint16_t laps_of(const struct txtap_ring *ring, const uint8_t *bytes, size_t length)
{
    struct bytes b = {bytes, length};
    uint16_t laps = 0;
    bool ok = bytes_take_u16(&b, ring->header.endian, &laps);

    assert(ok);
    (void)ok;
    return laps;
}

/* The words of the header that a running trace never changes. */
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

static enum txtap_status take_live(const struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct live *live)
{
    const struct txtap_header *header = &ring->header;
    struct bytes b = {plan->live, plan->whole_live ? sizeof plan->live : 4};

    live->laps = plan->whole_live ? laps_of(ring, plan->live, sizeof plan->live) : 0;
    if (plan->whole_live && !same_geometry(header, &b))
        return TXTAP_ERROR_MOVED;
    if (!bytes_take_u32(&b, header->endian, &live->current) || live->current < header->ring_start ||
        live->current >= header->ring_end || (live->current - header->ring_start) % TXTB_ENTRY_BYTES != 0)
        return TXTAP_ERROR_POINTER;
    return TXTAP_OK;
}

/* ---- commit: where the writer is ---- */

/*
 * Are these two readings of one slot the same entry? Bytes from offset GUARD_OFFSET on; of the information words, those
 * that the kernel may have written between the two readings do not count.
 */
static bool same_guard(const struct txtap_ring *ring, const uint8_t *a, const uint8_t *b, size_t length)
{
    struct bytes bytes = {a, length};
    const struct txtap_event_info *info = NULL;
    uint32_t id;

    if (memcmp(a, b, 8) != 0)
        return false;
    if (bytes_take_u32(&bytes, ring->header.endian, &id))
        info = txtap_event_find(id & TXTAP_EVENT_ID_MASK, 0);
    for (unsigned i = 0; 8 + 4 * i < length; i++) {
        bool patched = info && (info->patched >> i & 1);

        if (!patched && memcmp(a + 8 + 4 * i, b + 8 + 4 * i, 4) != 0)
            return false;
    }
    return true;
}

static bool same_entry(const struct txtap_ring *ring, const uint8_t *a, const uint8_t *b)
{
    return memcmp(a, b, GUARD_OFFSET) == 0 &&
           same_guard(ring, a + GUARD_OFFSET, b + GUARD_OFFSET, TXTB_ENTRY_BYTES - GUARD_OFFSET);
}

static uint64_t unwrap_laps(const struct txtap_ring *ring, uint16_t laps)
{
    return ring->laps + (uint16_t)(laps - (uint16_t)ring->laps);
}

/* True if the writer has not moved for so long that it cannot be between two stores. */
static bool writer_rests(struct txtap_ring *ring, const struct txtap_ring_plan *plan)
{
    if (!plan->at_start && !plan->recover)
        return false;
    if (ring->witness_us == 0 || memcmp(ring->witness, plan->newest_after, sizeof ring->witness) != 0) {
        memcpy(ring->witness, plan->newest_after, sizeof ring->witness);
        ring->witness_us = plan->now_us;
    }
    return plan->now_us - ring->witness_us >= SETTLE_US;
}

/*
 * With the lap counter. The recorder stores current = start, then laps + 1. So laps read before the pointer gives a
 * position that the writer had surely reached, and laps read after it one that it had not passed; but while the pointer
 * stands at the ring's start the count may be one lap behind. An intact guard decides that case, and so does a writer
 * that rests.
 */
static struct bounds laps_bounds(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct live live)
{
    uint64_t before = unwrap_laps(ring, live.laps);
    uint64_t after = unwrap_laps(ring, laps_of(ring, plan->laps_after, sizeof plan->laps_after));
    struct bounds bounds;

    if (before - ring->laps > LAPS_BACKWARDS)
        return (struct bounds){0, 0, false};
    bounds.stale = false;
    bounds.lower = position_from(ring, (before + 1) * ring->entries, live.current);
    bounds.upper = bounds.lower + (after - before) * ring->entries;
    if (live.current == ring->header.ring_start && !writer_rests(ring, plan)) {
        bounds.upper += ring->entries;
        bounds.stale = before == after;
    }
    if (plan->guard && same_guard(ring, ring->guard, plan->guard_after, TXTAP_RING_GUARD_BYTES)) {
        /* then the writer has not passed the guard's slot again */
        uint64_t within_lap = position_from(ring, ring->read_end, live.current);

        if (within_lap >= bounds.lower)
            bounds.upper = min_u64(bounds.upper, within_lap);
    }
    return bounds;
}

/*
 * Without it, as long as the reader keeps up. The guard is the newest entry read before this exchange: intact after the
 * pointer was read, the writer was less than a lap further. Otherwise the next exchange finds out.
 */
static struct bounds guard_bounds(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct live live)
{
    struct bounds bounds = {position_from(ring, plan->head, live.current), UNBOUNDED, true};

    ring->guard_gone = !same_guard(ring, ring->guard, plan->guard_after, TXTAP_RING_GUARD_BYTES);
    if (!ring->guard_gone)
        bounds.upper = bounds.lower;
    return bounds;
}

/*
 * Without it, when the reader may not have kept up. Read in this order: the newest entry known, the guard, entries, the
 * pointer, the newest entry again. The guard intact: the newest entry is the one it was, less than a lap ahead. The
 * guard gone: laps were missed before; nobody can say how many, and the fewest are assumed. The newest entry the same
 * at both ends: all that was read in between belongs to one lap.
 */
static struct bounds recover_bounds(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct live live)
{
    uint64_t behind = ring->read_end - 1 + ring->entries; /* reached at least, if the guard is gone */
    bool gone = ring->guard_known && !same_guard(ring, ring->guard, plan->guard_before, TXTAP_RING_GUARD_BYTES);
    bool within_lap = same_entry(ring, plan->newest_before, plan->newest_after);
    struct bounds bounds = {position_from(ring, plan->head, live.current), UNBOUNDED,
                            gone && within_lap && !ring->overtaken};

    ring->guard_gone = gone;
    if (gone) {
        bounds.lower = position_from(ring, max_u64(behind, plan->head), live.current);
        if (bounds.lower == behind) {
            /* Perhaps the writer is in the middle of the guard's own slot, and nothing is lost yet. */
            if (ring->guard_gone_us == 0)
                ring->guard_gone_us = plan->now_us;
            if (plan->now_us - ring->guard_gone_us < SETTLE_US) {
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
    ring->guard_gone_us = 0;
    if (within_lap)
        bounds.upper = bounds.lower;
    return bounds;
}

/*
 * ThreadX leaves the field 0 for ever; a recorder that counts has counted once the ring has wrapped. Found at lap 0,
 * the ring is at twice its entries when it wraps, and the count follows before the next entry.
 */
static void learn_laps(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct live live)
{
    bool gone = plan->recover && ring->guard_known &&
                !same_guard(ring, ring->guard, plan->guard_before, TXTAP_RING_GUARD_BYTES);
    uint64_t reached = gone ? max_u64(plan->head, ring->read_end - 1 + ring->entries) : plan->head;
    uint64_t wrapped = 2 * (uint64_t)ring->entries;

    if (ring->laps_state != TXTAP_LAPS_UNKNOWN || !plan->whole_live)
        return;
    if (live.laps != 0)
        ring->laps_state = TXTAP_LAPS_COUNTED;
    else if (reached > wrapped || (reached == wrapped && writer_rests(ring, plan)))
        ring->laps_state = TXTAP_LAPS_NONE;
}

static struct bounds find_writer(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct live live)
{
    struct bounds bounds;

    if (plan->laps_again)
        return laps_bounds(ring, plan, live);
    learn_laps(ring, plan, live);
    bounds = plan->recover ? recover_bounds(ring, plan, live) : guard_bounds(ring, plan, live);
    if (ring->laps_state == TXTAP_LAPS_COUNTED) {
        /* Only just learnt: the count was read once, so it bounds from below, and positions are absolute from now on.
         */
        uint64_t counted = position_from(ring, (unwrap_laps(ring, live.laps) + 1) * ring->entries, live.current);

        bounds = (struct bounds){max_u64(bounds.lower, counted), UNBOUNDED, true};
    }
    return bounds;
}

/* ---- commit: what stands ---- */

/* Were many entries left out that are still there, because the writer was expected to be as fast as before? */
static bool was_hasty(const struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct bounds bounds)
{
    uint64_t oldest;

    if (!ring->started || bounds.upper == UNBOUNDED)
        return false;
    oldest = max_u64(ring->next, bounds.upper - ring->readable);
    return plan->first > oldest && plan->first - oldest > ring->readable / 2;
}

/*
 * What the next plan must know when the writer overwrote entries while they were being read. A loss that happened
 * before says nothing of the next exchange, and neither does one of entries that nobody wants.
 */
static void note_overtaken(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct bounds bounds,
                           uint64_t valid)
{
    uint64_t moved = bounds.lower > plan->head ? bounds.lower - plan->head : 0;
    bool at_attach = plan->head == ring->met; /* head is as old as the attach: who knows how long that took */
    bool stale = bounds.stale || (!ring->started && (at_attach || valid < plan->end));

    if (valid > plan->first) {
        if (stale)
            return;
        ring->overtaken = true;
    } else if (moved < plan->end - plan->first) {
        ring->overtaken = false; /* the reader is the faster one */
    }
    if (was_hasty(ring, plan, bounds))
        ring_pace_restart(&ring->pace);
    if (ring->overtaken) /* a standstill of the reader shall not be remembered for long */
        ring_pace_note(&ring->pace, plan->end - plan->first, min_u64(moved, STANDSTILL_RINGS * ring->readable));
}

/* May the entry be delivered as it was read just now, or may the kernel still write one of its fields? */
static bool is_settled(const struct txtap_ring *ring, const struct txtap_ring_plan *plan, uint64_t position,
                       const uint8_t *entry)
{
    struct bytes id_bytes = {entry + TXTB_ENTRY_ID, 4};
    const struct txtap_event_info *info = NULL;
    uint64_t index = position - ring->next;
    uint32_t id;

    if (bytes_take_u32(&id_bytes, ring->header.endian, &id))
        info = txtap_event_find(id & TXTAP_EVENT_ID_MASK, 0);
    if (!info || !info->patched)
        return true;
    if (position + TXTAP_RING_HOLD_ENTRIES < plan->head)
        return true;
    return position < ring->read_end && plan->now_us - ring->held_us[index] >= TXTAP_RING_HOLD_US &&
           memcmp(ring->held[index], entry, TXTB_ENTRY_BYTES) == 0;
}

/* Keeps first..plan->end for another look, and the newest entry read as the guard. */
static void hold_back(struct txtap_ring *ring, const struct txtap_ring_plan *plan, uint64_t first, uint64_t now_us)
{
    uint64_t old_next = ring->next, old_end = ring->read_end;
    const uint8_t *newest = ring->buffer + (plan->end - 1 - plan->first) * TXTB_ENTRY_BYTES;

    for (uint64_t position = first; position < plan->end; position++) {
        const uint8_t *entry = ring->buffer + (position - plan->first) * TXTB_ENTRY_BYTES;
        uint64_t index = position - first;
        uint64_t since = now_us;

        assert(index < TXTAP_RING_HOLD_ENTRIES);
        /* Old and new index only ever move down, so copying upwards in place is safe. */
        if (position < old_end && memcmp(ring->held[position - old_next], entry, TXTB_ENTRY_BYTES) == 0)
            since = ring->held_us[position - old_next];
        memcpy(ring->held[index], entry, TXTB_ENTRY_BYTES);
        ring->held_us[index] = since;
    }
    ring->next = first;
    ring->read_end = plan->end;
    memcpy(ring->guard, newest + GUARD_OFFSET, TXTAP_RING_GUARD_BYTES);
    ring->guard_known = true;
    ring->guard_gone = false;
    ring->guard_gone_us = 0;
}

/* From here on every position counts: the first one gets the stream's first sequence number. */
static void start_at(struct txtap_ring *ring, uint64_t position)
{
    if (ring->started)
        return;
    ring->started = true;
    ring->seq_base = position >= ring->entries ? ring->entries : 0;
}

static void flush_held(struct txtap_ring *ring, uint64_t count, struct txtap_ring_batch *batch)
{
    if (count == 0)
        return;
    start_at(ring, ring->next);
    memcpy(ring->flushed, ring->held, sizeof ring->flushed);
    batch->held = ring->flushed[0];
    batch->held_count = (size_t)count;
    batch->held_seq = ring->next - ring->seq_base;
}

/* Nobody will read first..end any more. What is older than the attach is no loss as long as nothing was delivered. */
static void report_lost(struct txtap_ring *ring, uint64_t first, uint64_t end, struct txtap_ring_batch *batch)
{
    if (!ring->started)
        first = max_u64(first, ring->met);
    if (end <= first)
        return;
    start_at(ring, first);
    batch->lost = end - first;
    batch->lost_seq = first - ring->seq_base;
    batch->exact = !ring->inexact;
}

/* What can no longer be read before valid: held entries are delivered as they were read, the rest is lost. */
static void give_up_before(struct txtap_ring *ring, uint64_t valid, struct txtap_ring_batch *batch)
{
    uint64_t first_missing = max_u64(ring->next, min_u64(valid, ring->read_end));

    flush_held(ring, first_missing - ring->next, batch);
    report_lost(ring, first_missing, valid, batch);
    ring->inexact = false;
}

/* Slots that were never written, and entries older than wanted, are nobody's loss. */
static uint64_t skip_unwanted(const struct txtap_ring *ring, const struct txtap_ring_plan *plan, uint64_t position)
{
    static const uint8_t never_written[4] = {0};

    if (ring->started)
        return position;
    for (; position < plan->end; position++) {
        const uint8_t *entry = ring->buffer + (position - plan->first) * TXTB_ENTRY_BYTES;

        if (position >= ring->met ||
            (position >= ring->start && memcmp(entry + TXTB_ENTRY_THREAD, never_written, 4) != 0))
            break;
    }
    return position;
}

static void deliver(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct bounds bounds, uint64_t now_us,
                    struct txtap_ring_batch *batch)
{
    uint64_t valid = plan->end, settled;

    if (bounds.upper != UNBOUNDED)
        valid = max_u64(plan->first, bounds.upper - ring->readable);
    note_overtaken(ring, plan, bounds, valid);
    if (was_hasty(ring, plan, bounds))
        return; /* read again, from an older one on */
    if (valid >= plan->end)
        return; /* nothing stands; the same entries are planned again */
    if (valid > ring->next)
        give_up_before(ring, valid, batch);
    valid = skip_unwanted(ring, plan, valid);
    if (valid < plan->end || plan->end >= ring->met)
        start_at(ring, valid);
    for (settled = valid; settled < plan->end; settled++)
        if (!is_settled(ring, plan, settled, ring->buffer + (settled - plan->first) * TXTB_ENTRY_BYTES))
            break;
    if (settled > valid) {
        batch->entries = ring->buffer + (valid - plan->first) * TXTB_ENTRY_BYTES;
        batch->count = (size_t)(settled - valid);
        batch->seq = valid - ring->seq_base;
    }
    hold_back(ring, plan, settled, now_us);
}

/*
 * Does one of the entries read, all of them written before, look like a slot that never was? Then the trace was set up
 * anew: the pointer jumped back, which looks like nearly a lap, and old entries would stand for new ones.
 */
static bool was_emptied(const struct txtap_ring *ring, const struct txtap_ring_plan *plan)
{
    static const uint8_t never_written[4] = {0};
    uint64_t position = ring->started ? plan->first : max_u64(plan->first, ring->met);

    for (; position < plan->end; position++) {
        const uint8_t *entry = ring->buffer + (position - plan->first) * TXTB_ENTRY_BYTES;

        if (memcmp(entry + TXTB_ENTRY_THREAD, never_written, 4) == 0)
            return true;
    }
    return false;
}

enum txtap_status txtap_ring_commit(struct txtap_ring *ring, const struct txtap_ring_plan *plan, uint64_t now_us,
                                    struct txtap_ring_batch *batch)
{
    struct live live;
    struct bounds bounds;
    enum txtap_status status = take_live(ring, plan, &live);

    memset(batch, 0, sizeof *batch);
    if (status != TXTAP_OK)
        return status;
    if (ring->readable < ring->entries && was_emptied(ring, plan)) { /* in a file it stands for nothing */
        if (ring->laps_state != TXTAP_LAPS_COUNTED)
            ring->head = ring->read_end; /* the pointer's jump back had looked like a lap; nothing is known beyond */
        return TXTAP_ERROR_MOVED;
    }
    bounds = find_writer(ring, plan, live);
    if (bounds.upper < ring->head)
        return TXTAP_ERROR_MOVED;
    if (plan->end > plan->first)
        deliver(ring, plan, bounds, now_us, batch);
    if (bounds.lower != ring->head)
        ring->witness_us = 0;
    ring->head = max_u64(ring->head, bounds.lower);
    if (ring->laps_state == TXTAP_LAPS_COUNTED)
        ring->laps = unwrap_laps(ring, live.laps);
    return TXTAP_OK;
}

void txtap_ring_finish(struct txtap_ring *ring, uint64_t until, struct txtap_ring_batch *batch)
{
    memset(batch, 0, sizeof *batch);
    flush_held(ring, ring->read_end - ring->next, batch);
    ring->next = ring->read_end;
    if (until > ring->read_end) {
        report_lost(ring, ring->read_end, until, batch);
        ring->next = ring->read_end = until;
    }
}
