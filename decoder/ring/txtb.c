/* SPDX-License-Identifier: MIT */
/*
 * The ring reader: plans the reads of an exchange, judges the answers, and delivers entries. It does no I/O. The writer
 * may move between any two words that an exchange reads.
 */
#include "txtap/ring.h"

#include <assert.h>
#include <string.h>

#include "ring/txtb_inside.h"
#include "ring/txtb_pace.h"
#include "ring/txtb_writer.h"
#include "txtap/event.h"

/* ---- plan: chooses the reads of an exchange: entries, and evidence that shows the valid entries ---- */

static uint32_t slot_address(const struct ring_inside *ring, uint64_t position)
{
    return ring->header.ring_start + (uint32_t)(position % ring->entries) * TXTB_ENTRY_BYTES;
}

static void plan_read(struct txtap_ring_plan *plan, uint32_t address, uint32_t length, uint8_t *buffer)
{
    assert(plan->count < TXTAP_RING_READS_MAX);
    plan->reads[plan->count++] = (struct txtap_read){address, length, buffer};
}

static void plan_guard(const struct ring_inside *ring, struct txtap_ring_plan *plan, uint8_t *buffer)
{
    uint32_t offset = guards_last_slot(ring) ? TXTB_ENTRY_THREAD : GUARD_OFFSET;

    plan_read(plan, slot_address(ring, guard_position(ring)) + offset, TXTAP_RING_GUARD_BYTES, buffer);
}

static void plan_newest(const struct ring_inside *ring, struct txtap_ring_plan *plan, uint8_t *buffer)
{
    plan_read(plan, slot_address(ring, ring->head - 1), TXTB_ENTRY_BYTES, buffer);
}

/*
 * Returns true if the ring's last slot must be read to detect a restart. The result is true only if the ring has
 * certainly wrapped, so that this slot is not empty. If laps are counted, the slot is needed only after 32767 laps or
 * more: the count of a new trace is 0, and a count of 0 then looks like an equal or a later count. With fewer laps, a
 * count of 0 is a step backwards, which shows the restart.
 */
static bool needs_last_slot(const struct ring_inside *ring)
{
    bool wrapped = ring->laps_state == TXTAP_LAPS_NONE || ring->head >= 2 * (uint64_t)ring->entries;

    return wrapped && (ring->laps_state != TXTAP_LAPS_COUNTED || (uint16_t)(ring->laps - 1) >= LAPS_BACKWARDS - 1);
}

/*
 * Returns true if the planned entries begin after the ring's last slot, and the guard cannot detect a restart. If
 * tracing restarted, all planned entries may belong to the new trace. The last slot then shows the restart: a trace
 * writes this slot last, so it is still empty. If entries after the last slot were read in an earlier exchange, the
 * guard detects the restart, unless the guard is not read (presume).
 */
static bool begins_behind_last_slot(const struct ring_inside *ring, const struct txtap_ring_plan *plan)
{
    uint64_t ring_start = ring->head - ring->head % ring->entries;
    uint64_t guarded_from = plan->presume ? 0 : ring->next;

    return needs_last_slot(ring) && guarded_from <= ring_start && ring_start <= plan->first;
}

static void plan_last_slot(const struct ring_inside *ring, struct txtap_ring_plan *plan)
{
    plan_read(plan, slot_address(ring, ring->entries - 1) + TXTB_ENTRY_THREAD, sizeof plan->last_thread,
              plan->last_thread);
}

/* Plans the reads of the entries: one read, or two reads if the entries cross the ring's end. */
static void plan_entries(const struct ring_inside *ring, struct txtap_ring_plan *plan)
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

static bool held_is_due(const struct ring_inside *ring, uint64_t now_us)
{
    return ring->read_end > ring->next && now_us - ring->held_us[0] >= TXTAP_RING_HOLD_US;
}

/* Returns the position of the oldest entry that is neither delivered nor known to be overwritten. */
static uint64_t oldest_unread(const struct ring_inside *ring)
{
    return ring->head > ring->readable ? max_u64(ring->next, ring->head - ring->readable) : ring->next;
}

/* Chooses the entries to read, and the kind of evidence. Every choice within the bounds below is safe. */
static void plan_range(const struct ring_inside *ring, struct txtap_ring_plan *plan)
{
    bool counted = ring->laps_state == TXTAP_LAPS_COUNTED;
    /* While it is unknown whether a gap can be exact, skip only entries that are older than the attach. */
    bool gaps_can_be_exact = ring->guard_known || ring->laps_state != TXTAP_LAPS_UNKNOWN;
    uint64_t oldest = oldest_unread(ring);
    uint64_t first_max = !ring->overtaken ? oldest : gaps_can_be_exact ? ring->head : ring->head_at_attach;
    const struct ring_pace_question question = {
        .now_us = plan->now_us,
        .next = ring->next,
        .oldest = oldest,
        .read_end = ring->read_end,
        .head = ring->head,
        .entries = ring->entries,
        .ring_start = ring->header.ring_start,
        .readable = ring->readable,
        .room = (uint32_t)min_u64(ring->buffer_entries, ring->readable),
        .may_skip = ring->overtaken,
        .counted = counted && ring->half_laps_at == 0,
        .half_laps = ring->half_laps_at != 0,
        .laps_known = ring->laps_state != TXTAP_LAPS_UNKNOWN,
        .guard_known = ring->guard_known,
        .guard_gone = ring->guard_gone,
        .may_presume = ring->guard_known && !counted && ring->laps_state != TXTAP_LAPS_UNKNOWN,
        .last_slot = needs_last_slot(ring),
    };
    struct ring_pace_choice choice = ring_pace_choose(&ring->pace, &question);
    uint64_t first = max_u64(min_u64(choice.first, first_max), oldest);
    uint64_t room = min_u64(choice.end > first ? choice.end - first : 1, question.room);

    if (first <= ring->read_end) /* held entries are read again: also read at least one new entry */
        room = max_u64(room, ring->read_end - first + 1);
    plan->first = first;
    plan->end = min_u64(ring->head, first + room);
    plan->recover = !counted && (ring->guard_gone || choice.recover);
    plan->again = choice.again && !question.half_laps;
    /* A guard that is not read proves nothing, so the gap will be inexact. Presume only if the plan skips entries
     * anyway. */
    plan->presume = choice.presume && question.may_presume && plan->first > ring->read_end;
}

/* Chooses the evidence to read if the recorder has no half-lap words. */
static void plan_evidence(const struct ring_inside *ring, struct txtap_ring_plan *plan)
{
    bool counted = ring->laps_state == TXTAP_LAPS_COUNTED, unknown = ring->laps_state == TXTAP_LAPS_UNKNOWN;
    bool entries = plan->end > plan->first;

    /* If laps are counted, the count is enough, unless the pointer is at the ring's start: see laps_bounds(). */
    plan->at_start = counted && entries && ring->head % ring->entries == 0;
    if (!counted)
        plan->recover = ring->guard_known ? ring->guard_gone || plan->recover : entries || guards_last_slot(ring);
    plan->whole_live = counted || entries || plan->recover;
    if (counted)
        plan->again =
            ring->behind || (entries && (plan->again || plan->at_start || plan->first <= lap_start(ring, ring->head)));
    else
        plan->again = plan->recover && (plan->again || unknown);
    plan->guard = ring->guard_known && (counted ? plan->at_start : !plan->recover);
    plan->last_slot = entries && begins_behind_last_slot(ring, plan);
}

/*
 * The proof of safety depends on the order of the reads. A read in [] is made only if its flag is set. Each list ends
 * with the section that proves it, in docs/developer/reader-proof.md or, after a G, in reader-proof-guard.md.
 *
 *   half-laps:         entries, half-lap words.  "With half laps"
 *   laps counted:      entries, laps and pointer, [again: laps and pointer], [at_start: newest entry, guard],
 *                      [last slot].  "With the lap counter alone"
 *   guard (no laps):   entries, pointer (or laps and pointer), guard, [last slot].  G "The guard"
 *   recovery:          newest entry, guard (unless presumed overwritten), entries, laps and pointer, newest entry,
 *                      [last slot], [again: pointer].  G "The guard", "The first exchange"
 *   recovery, laps unknown: as recovery, but again: laps and pointer directly after the first laps and pointer.
 *                      G "Are laps counted?"
 *
 * The last slot shows a restart: G "A trace that was enabled again". If the half-lap words now describe another ring,
 * they are read after all other reads: "With half laps", life.
 */
void txtap_ring_plan(struct txtap_ring *opaque, struct txtap_ring_plan *plan, uint64_t now_us)
{
    struct ring_inside *ring = ring_inside(opaque);
    bool counted = ring->laps_state == TXTAP_LAPS_COUNTED, unknown = ring->laps_state == TXTAP_LAPS_UNKNOWN;

    memset(plan, 0, sizeof *plan);
    plan->head = ring->head;
    plan->now_us = now_us;
    plan->first = plan->end = ring->next;
    if (ring->head != ring->read_end || held_is_due(ring, now_us))
        plan_range(ring, plan);
    plan->half_laps = ring->half_laps_at != 0;
    if (!plan->half_laps)
        plan_evidence(ring, plan);

    if (plan->recover) {
        plan_newest(ring, plan, plan->newest_before);
        if (!plan->presume)
            plan_guard(ring, plan, plan->guard_before);
    }
    plan_entries(ring, plan);
    if (plan->half_laps)
        plan_read(plan, ring->half_laps_at, TXTAP_RING_HALF_LAPS_BYTES, plan->live);
    else if (plan->whole_live)
        plan_read(plan, ring->address + LIVE_OFFSET, sizeof plan->live, plan->live);
    else
        plan_read(plan, ring->address + TXTB_HEADER_CURRENT, 4, plan->live);
    if (plan->again && (counted || unknown))
        plan_read(plan, ring->address + LIVE_OFFSET, sizeof plan->live_after, plan->live_after);
    if (plan->recover || plan->at_start)
        plan_newest(ring, plan, plan->newest_after);
    if (plan->guard)
        plan_guard(ring, plan, plan->guard_after);
    if (plan->last_slot)
        plan_last_slot(ring, plan);
    if (plan->again && !counted && !unknown)
        plan_read(plan, ring->address + LIVE_OFFSET, sizeof plan->live_after, plan->live_after);
    if (ring->left_words_at != 0)
        plan_read(plan, ring->left_words_at, sizeof plan->left_words, plan->left_words);
}

/* ---- deliver: holds back entries that the kernel may not have finished, and counts lost entries ---- */

/* Returns true if the plan skipped many entries that are still valid, because the writer was slower than expected. */
static bool was_hasty(const struct ring_inside *ring, const struct txtap_ring_plan *plan, struct bounds bounds)
{
    uint64_t oldest;

    if (!ring->started || bounds.upper == UNBOUNDED || !ring_pace_slowed(&ring->pace))
        return false;
    oldest = max_u64(ring->next, bounds.upper - ring->readable);
    return plan->first > oldest && plan->first - oldest > ring->readable / 2;
}

/*
 * Notes whether entries were lost because the writer is faster than the reader. Unwanted entries do not count. Entries
 * that were overwritten before this exchange began count only if the preceding exchange also lost entries.
 */
static void note_overtaken(struct ring_inside *ring, const struct txtap_ring_plan *plan, struct bounds bounds,
                           uint64_t valid)
{
    uint64_t moved = bounds.lower > plan->head ? bounds.lower - plan->head : 0;
    bool at_attach = plan->head == ring->head_at_attach; /* head was read at the attach, at an unknown time */
    bool stale = bounds.stale || (!ring->started && (at_attach || valid < plan->end));

    bool loses = valid > max_u64(ring->next, plan->head - ring->readable);

    if (loses && (!stale || ring->losing))
        ring->overtaken = true;
    else if (!loses && moved < plan->end - plan->first && bounds.lower - plan->end < ring->readable / 4)
        ring->overtaken = false; /* the reader is faster than the writer, and has nearly caught up */
    /*
     * If the writer laps the reader in each exchange, the reader must change its plan. With half-laps the two bounds
     * then always differ, so each exchange seems to begin late. Before the first event, only ring->losing detects this
     * case.
     */
    if (plan->half_laps && plan->end <= valid)
        ring->losing = loses && !at_attach;
    else if (bounds.upper != UNBOUNDED && valid < plan->end)
        ring->losing = loses && ring->started;
}

/*
 * Returns true if the entry can be delivered as it was just read. Returns false if the kernel may still write a field
 * of the entry. The reader waits at most patience_us for such a field. *unsettled is set to true if the entry is
 * delivered after patience_us, although the field changed less than TXTAP_RING_HOLD_US ago.
 */
static bool is_due(const struct ring_inside *ring, const struct txtap_ring_plan *plan, uint64_t position,
                   const uint8_t *entry, bool *unsettled)
{
    const struct txtap_event_info *info;
    uint64_t index = position - ring->next;
    struct txtap_event event;
    bool rested;

    *unsettled = false;
    txtap_event_parse(entry, &ring->header, &event);
    info = txtap_event_find(event.id, 0);
    if (!info || !info->patched || position + TXTAP_RING_HOLD_ENTRIES < plan->head)
        return true;
    if (position >= ring->read_end)
        return false;
    rested = plan->now_us - ring->held_us[index] >= TXTAP_RING_HOLD_US &&
             memcmp(ring->held[index], entry, TXTB_ENTRY_BYTES) == 0;
    if (rested && txtap_event_pending(info, &event) == 0)
        return true;
    *unsettled = !rested;
    return plan->now_us - ring->seen_us[index] >= ring->patience_us;
}

/*
 * Holds back the entries from first to plan->end - 1, to read them again. Makes the newest entry that was read the
 * guard.
 */
static void hold_back(struct ring_inside *ring, const struct txtap_ring_plan *plan, uint64_t first, uint64_t now_us)
{
    uint64_t old_next = ring->next, old_end = ring->read_end;
    const uint8_t *newest = entry_at(ring, plan, plan->end - 1);
    uint32_t rested = 0;

    for (uint64_t position = first; position < plan->end; position++) {
        const uint8_t *entry = entry_at(ring, plan, position);
        uint64_t index = position - first, old = position - old_next;
        uint64_t since = now_us, seen = now_us;

        assert(index < TXTAP_RING_HOLD_ENTRIES);
        /* The new index of an entry is never above its old index, so this loop overwrites no entry that it still
         * needs. */
        if (position < old_end) {
            seen = ring->seen_us[old];
            if (memcmp(ring->held[old], entry, TXTB_ENTRY_BYTES) == 0)
                since = ring->held_us[old];
        }
        memcpy(ring->held[index], entry, TXTB_ENTRY_BYTES);
        ring->held_us[index] = since;
        ring->seen_us[index] = seen;
        rested |= (uint32_t)(plan->now_us >= since && plan->now_us - since >= TXTAP_RING_HOLD_US) << index;
    }
    ring->rested = rested;
    ring->next = first;
    ring->read_end = plan->end;
    memcpy(ring->guard, newest + GUARD_OFFSET, TXTAP_RING_GUARD_BYTES);
    ring->guard_known = ring->started;
    /* If the slots that were read contain no event, these slots were never written, so the ring has not wrapped. */
    ring->not_wrapped_yet = !ring->started && ring->readable < ring->entries;
    ring->guard_gone = false;
    ring->guard_gone_us = 0;
}

/* Begins the stream at this position: every entry from here on is delivered or counted as lost. */
static void start_at(struct ring_inside *ring, uint64_t position)
{
    if (ring->started)
        return;
    ring->started = true;
    ring->seq_base = position >= ring->entries ? ring->entries : 0;
}

static void flush_held(struct ring_inside *ring, uint64_t count, struct txtap_ring_batch *batch)
{
    if (count == 0)
        return;
    start_at(ring, ring->next);
    memcpy(ring->flushed, ring->held, sizeof ring->flushed);
    batch->held = ring->flushed[0];
    batch->held_count = (size_t)count;
    batch->held_seq = ring->next - ring->seq_base;
    for (uint64_t i = 0; i < count; i++)
        batch->held_unsettled = batch->held_unsettled << 1 | !(ring->rested >> i & 1);
}

/*
 * Counts the entries from first to end - 1 as lost, because they can no longer be read. Before the first delivered
 * entry, entries that are older than the attach do not count.
 */
static void report_lost(struct ring_inside *ring, uint64_t first, uint64_t end, struct txtap_ring_batch *batch)
{
    if (!ring->started)
        first = max_u64(first, ring->head_at_attach);
    if (end <= first)
        return;
    start_at(ring, first);
    batch->lost = end - first;
    batch->lost_seq = first - ring->seq_base;
    batch->exact = !ring->inexact && (ring->guard_known || ring->laps_state == TXTAP_LAPS_COUNTED);
}

/*
 * Gives up the entries before the position valid, which can no longer be read. Delivers held entries as they were read,
 * and counts all other entries as lost.
 */
static void give_up_before(struct ring_inside *ring, uint64_t valid, struct txtap_ring_batch *batch)
{
    uint64_t first_missing = max_u64(ring->next, min_u64(valid, ring->read_end));

    flush_held(ring, first_missing - ring->next, batch);
    report_lost(ring, first_missing, valid, batch);
    ring->inexact = false;
}

/*
 * Returns the position after slots that were never written and entries that are too old to be wanted. These do not
 * count as lost.
 */
static uint64_t skip_unwanted(const struct ring_inside *ring, const struct txtap_ring_plan *plan, uint64_t position)
{
    if (ring->started)
        return position;
    for (; position < plan->end; position++) {
        if (position >= ring->head_at_attach ||
            (position >= ring->start && is_written(entry_at(ring, plan, position) + TXTB_ENTRY_THREAD)))
            break;
    }
    return position;
}

/* Delivers the planned entries that the bounds prove to be valid, and notes facts for the next plan. */
static void deliver_entries(struct ring_inside *ring, const struct txtap_ring_plan *plan, struct bounds bounds,
                            uint64_t now_us, struct txtap_ring_batch *batch)
{
    uint64_t valid = plan->end, due;

    if (bounds.upper != UNBOUNDED)
        valid = max_u64(plan->first, bounds.upper - ring->readable);
    if (ring->overtaken && bounds.upper != UNBOUNDED)
        ring_pace_gone(&ring->pace, min_u64(valid, plan->end) - plan->first);
    note_overtaken(ring, plan, bounds, valid);
    if (was_hasty(ring, plan, bounds)) {
        ring_pace_restart(&ring->pace);
        return; /* the next plan begins at an older entry */
    }
    if (valid >= plan->end)
        return; /* no entry is valid: the next plan reads the same entries again */
    if (valid > ring->next)
        give_up_before(ring, valid, batch);
    valid = skip_unwanted(ring, plan, valid);
    if (valid < plan->end || plan->end >= ring->head_at_attach)
        start_at(ring, valid);
    for (due = valid; due < plan->end; due++) {
        bool unsettled;

        if (!is_due(ring, plan, due, entry_at(ring, plan, due), &unsettled))
            break;
        batch->unsettled = batch->unsettled << 1 | unsettled;
    }
    if (due > valid) {
        batch->entries = entry_at(ring, plan, valid);
        batch->count = (size_t)(due - valid);
        batch->seq = valid - ring->seq_base;
    }
    hold_back(ring, plan, due, now_us);
}

void txtap_ring_finish(struct txtap_ring *opaque, uint64_t until, struct txtap_ring_batch *batch)
{
    struct ring_inside *ring = ring_inside(opaque);

    memset(batch, 0, sizeof *batch);
    flush_held(ring, ring->read_end - ring->next, batch);
    ring->next = ring->read_end;
    if (until > ring->read_end) {
        report_lost(ring, ring->read_end, until, batch);
        ring->next = ring->read_end = until;
    }
}

/* ---- commit ---- */

void txtap_ring_init(struct txtap_ring *opaque, const struct txtap_ring_config *config)
{
    struct ring_inside *ring = ring_inside(opaque);
    const struct txtap_header *header = config->header;
    enum txtap_ring_from from = config->from;

    assert(config->buffer_entries >= TXTAP_RING_BUFFER_MIN);
    memset(ring, 0, sizeof *ring);
    ring->header = *header;
    ring->address = config->address;
    ring->entries = txtap_header_ring_entries(header);
    ring->readable = from == TXTAP_RING_AT_REST ? ring->entries : ring->entries - 1;
    ring->buffer = config->buffer;
    ring->buffer_entries = config->buffer_entries;
    ring->laps_state = header->laps ? TXTAP_LAPS_COUNTED : TXTAP_LAPS_UNKNOWN;
    ring->laps = header->laps;
    ring->head = position_from(ring, (ring->laps + 1) * ring->entries, header->current);
    if (config->half_laps.address != 0)
        half_laps_init(ring, &config->half_laps);
    ring->head_at_attach = ring->head;
    ring->start = ring->head - (from == TXTAP_RING_FROM_NOW ? 0 : ring->readable);
    /* FROM_NOW also reads the entry before the first wanted entry: that entry becomes the guard. */
    ring->next = from == TXTAP_RING_FROM_NOW ? ring->head - 1 : ring->start;
    ring->not_wrapped_yet = from == TXTAP_RING_FROM_START && header->laps == 0;
    if (from == TXTAP_RING_FROM_START)
        ring->start = ring->head_at_attach = ring->next = ring->entries; /* position of a trace's first event */
    if (ring->half_laps_at != 0) { /* no entry is before the position of the first event */
        ring->start = max_u64(ring->start, ring->entries);
        ring->next = max_u64(ring->next, ring->entries);
    }
    ring->read_end = ring->next;
    ring->patience_us = config->patience_us != 0 ? config->patience_us : TXTAP_RING_PATIENCE_US;
}

uint64_t txtap_ring_written(const struct txtap_ring *opaque)
{
    const struct ring_inside *ring = ring_inside_const(opaque);

    return ring->head - ring->seq_base;
}

static uint64_t unread(const struct ring_inside *ring)
{
    return ring->head > ring->read_end ? ring->head - ring->read_end : 0;
}

uint64_t txtap_ring_unread(const struct txtap_ring *opaque)
{
    return unread(ring_inside_const(opaque));
}

uint64_t txtap_ring_held(const struct txtap_ring *opaque)
{
    const struct ring_inside *ring = ring_inside_const(opaque);

    return ring->read_end - ring->next;
}

struct txtap_ring_state txtap_ring_state(const struct txtap_ring *opaque)
{
    const struct ring_inside *ring = ring_inside_const(opaque);

    return (struct txtap_ring_state){
        .entries = ring->entries,
        .buffer_entries = ring->buffer_entries,
        .next = ring->next,
        .head = ring->head,
        .start = ring->start,
        .head_at_attach = ring->head_at_attach,
        .seq_base = ring->seq_base,
        .started = ring->started,
        .inexact = ring->inexact,
        .behind = ring->behind,
        .overtaken = ring->overtaken,
        .guard_known = ring->guard_known,
        .guard_gone = ring->guard_gone,
        .laps_state = ring->laps_state,
        .laps = ring->laps,
        .half_laps_at = ring->half_laps_at,
        .life = ring->life,
        .half_laps = ring->half_laps,
    };
}

void txtap_ring_limit(struct txtap_ring *opaque, uint32_t entries)
{
    assert(entries >= TXTAP_RING_BUFFER_MIN);
    ring_inside(opaque)->buffer_entries = entries;
}

void txtap_ring_mark_inexact(struct txtap_ring *opaque)
{
    ring_inside(opaque)->inexact = true;
}

/*
 * Counts the pieces and words that were read: before_* up to and including the last read of the pointer, after_* after
 * it.
 */
static struct ring_pace_reads count_reads(const struct txtap_ring_plan *plan)
{
    const uint8_t *last_pointer = plan->again ? plan->live_after : plan->live;
    struct ring_pace_reads reads = {.before_pieces = 0};
    bool after = false;

    for (size_t i = 0; i < plan->count; i++) {
        const struct txtap_read *read = &plan->reads[i];

        *(after ? &reads.after_pieces : &reads.before_pieces) += 1;
        *(after ? &reads.after_words : &reads.before_words) += read->length / 4;
        reads.blocks += ring_pace_blocks(read->address, read->length);
        after = after || read->buffer == last_pointer;
    }
    return reads;
}

/* Notes the duration of an exchange, and the distance that the writer moved. reached: the writer's new position. */
static void note_pace(struct ring_inside *ring, const struct txtap_ring_plan *plan, struct bounds bounds,
                      uint64_t reached, bool was_gone, uint64_t now_us)
{
    uint64_t moved = reached > plan->head ? reached - plan->head : 0;
    bool counted = ring->laps_state == TXTAP_LAPS_COUNTED, unbounded = bounds.upper == UNBOUNDED;
    struct ring_pace_exchange exchange = {.reads = count_reads(plan), .begin_us = plan->now_us, .end_us = now_us};

    if (!counted && was_gone && moved >= ring->entries)
        moved -= ring->entries; /* the writer completed that lap before this exchange, which only detected it */
    if (reached < plan->head)   /* the count of laps is too low by one */
        moved = reached + ring->entries - plan->head;
    if (!counted && unbounded && !bounds.stale && moved < ring->readable) /* the evidence was overwritten */
        exchange.gone = ring->entries - (plan->recover ? 1 : plan->head - ring->read_end + 1);
    exchange.moved = moved;
    exchange.lap = !counted && (unbounded || plan->presume) ? ring->entries : 0;
    ring_pace_note(&ring->pace, &exchange);
}

/*
 * Returns true if a slot is empty although it was written before, because tracing restarted. The reader must then stop:
 * the pointer jumped back, and this jump looks like an advance by nearly a lap. So the reader would deliver old entries
 * as new entries.
 */
static bool was_emptied(const struct ring_inside *ring, const struct txtap_ring_plan *plan)
{
    uint64_t position = ring->started ? plan->first : max_u64(plan->first, ring->head_at_attach);

    for (; position < plan->end; position++)
        if (!is_written(entry_at(ring, plan, position) + TXTB_ENTRY_THREAD))
            return true;
    return plan->last_slot && !is_written(plan->last_thread);
}

/* Takes the words that show the writer's position. TXTAP_AGAIN: this exchange does not show the position. */
static enum txtap_status take_writer(struct ring_inside *ring, const struct txtap_ring_plan *plan, struct live live[2])
{
    enum txtap_status status = TXTAP_OK;

    if (plan->half_laps)
        return half_laps_take(ring, plan, &live[0]);
    if (ring->left_words_at != 0)
        status = half_laps_watch(ring, plan);
    return status == TXTAP_OK ? take_live(ring, plan, live) : status;
}

enum txtap_status txtap_ring_commit(struct txtap_ring *opaque, const struct txtap_ring_plan *plan, uint64_t now_us,
                                    struct txtap_ring_batch *batch)
{
    struct ring_inside *ring = ring_inside(opaque);
    struct live live[2];
    struct bounds bounds;
    enum txtap_status status = take_writer(ring, plan, live);
    bool was_gone = ring->guard_gone;
    uint64_t reached;

    memset(batch, 0, sizeof *batch);
    if (status == TXTAP_AGAIN) {
        ring->behind = true;
        return TXTAP_OK;
    }
    if (status != TXTAP_OK)
        return status;
    /* In a file, an empty slot does not mean a restart. */
    if (ring->readable < ring->entries && was_emptied(ring, plan)) {
        if (ring->laps_state != TXTAP_LAPS_COUNTED)
            ring->head = ring->read_end; /* head counted the pointer's jump back as a lap */
        return TXTAP_ERROR_MOVED;
    }
    bounds = plan->half_laps ? half_laps_bounds(ring, live[0]) : find_writer(ring, plan, live, now_us);
    if (bounds.upper < ring->head)
        return TXTAP_ERROR_MOVED;
    reached = plan->half_laps ? bounds.lower : reached_position(ring, plan, bounds, live);
    note_pace(ring, plan, bounds, reached, was_gone, now_us);
    if (plan->end > plan->first)
        deliver_entries(ring, plan, bounds, now_us, batch);
    if (bounds.lower != ring->head || reached != ring->head)
        ring->newest_since_us = 0;
    ring->behind = reached < ring->head || (plan->half_laps && bounds.lower < bounds.upper);
    ring->head = max_u64(ring->head, reached);
    if (unread(ring) == 0 && reached == ring->head &&
        (ring->laps_state == TXTAP_LAPS_COUNTED || bounds.upper != UNBOUNDED))
        ring->overtaken = false;
    if (plan->half_laps) {
        ring->half_laps = live[0].half_laps;
        ring->laps = live[0].half_laps / 2;
    } else if (ring->laps_state == TXTAP_LAPS_COUNTED) {
        ring->laps = unwrap_laps(ring, live[1].laps);
    }
    return TXTAP_OK;
}
