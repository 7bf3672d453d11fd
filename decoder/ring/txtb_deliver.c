/* SPDX-License-Identifier: MIT */
/* What becomes of the entries that were read, once it is known where the writer was. */
#include "ring/txtb_deliver.h"

#include <assert.h>
#include <string.h>

#include "ring/txtb_pace.h"
#include "txtap/event.h"

/* Were many entries left out that are still there, because the writer was expected to be faster than it was? */
static bool was_hasty(const struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct bounds bounds)
{
    uint64_t oldest;

    if (!ring->started || bounds.upper == UNBOUNDED || !ring_pace_slowed(&ring->pace))
        return false;
    oldest = max_u64(ring->next, bounds.upper - ring->readable);
    return plan->first > oldest && plan->first - oldest > ring->readable / 2;
}

/*
 * Notes whether entries were lost because the writer is the faster one: not those that are not wanted, and not those
 * that were overwritten before this exchange began, unless that was so in the exchange before, too.
 */
static void note_overtaken(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct bounds bounds,
                           uint64_t valid)
{
    uint64_t moved = bounds.lower > plan->head ? bounds.lower - plan->head : 0;
    bool at_attach = plan->head == ring->head_at_attach; /* head is as old as the attach, which took an unknown time */
    bool stale = bounds.stale || (!ring->started && (at_attach || valid < plan->end));

    bool loses = valid > max_u64(ring->next, plan->head - ring->readable);

    if (loses && (!stale || ring->losing))
        ring->overtaken = true;
    else if (!loses && moved < plan->end - plan->first && bounds.lower - plan->end < ring->readable / 4)
        ring->overtaken = false; /* the reader is the faster one, and has nearly caught up */
    /*
     * A reader that is lapped in each exchange must not read on like that. With half-laps its bounds never meet, so
     * each exchange seems to begin late, and before the first event nothing else shows it.
     */
    if (plan->half_laps && plan->end <= valid)
        ring->losing = loses && !at_attach;
    else if (bounds.upper != UNBOUNDED && valid < plan->end)
        ring->losing = loses && ring->started;
}

/*
 * May the entry be delivered as it was just read, or may the kernel still write one of its fields? The reader waits for
 * fields not yet written, but only for patience_us. *unsettled: delivered although a field has changed of late.
 */
static bool is_due(const struct txtap_ring *ring, const struct txtap_ring_plan *plan, uint64_t position,
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

/* Holds back first..plan->end to read them again, and keeps the newest entry read as the guard. */
static void hold_back(struct txtap_ring *ring, const struct txtap_ring_plan *plan, uint64_t first, uint64_t now_us)
{
    uint64_t old_next = ring->next, old_end = ring->read_end;
    const uint8_t *newest = entry_at(ring, plan, plan->end - 1);
    uint32_t rested = 0;

    for (uint64_t position = first; position < plan->end; position++) {
        const uint8_t *entry = entry_at(ring, plan, position);
        uint64_t index = position - first, old = position - old_next;
        uint64_t since = now_us, seen = now_us;

        assert(index < TXTAP_RING_HOLD_ENTRIES);
        /* An entry's new index is never above its old one, so copying upwards in place is safe. */
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
    /* If no event was among the slots read, they were never written: the ring has not wrapped. */
    ring->not_wrapped_yet = !ring->started && ring->readable < ring->entries;
    ring->guard_gone = false;
    ring->guard_gone_us = 0;
}

/* The stream begins at position: from here on every entry is delivered or counted as lost. */
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
    for (uint64_t i = 0; i < count; i++)
        batch->held_unsettled = batch->held_unsettled << 1 | !(ring->rested >> i & 1);
}

/* Entries first..end cannot be read any more. Those older than the attach are no loss until something was delivered. */
static void report_lost(struct txtap_ring *ring, uint64_t first, uint64_t end, struct txtap_ring_batch *batch)
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

/* Entries before valid cannot be read any more: delivers held ones as they were read; the others are lost. */
static void give_up_before(struct txtap_ring *ring, uint64_t valid, struct txtap_ring_batch *batch)
{
    uint64_t first_missing = max_u64(ring->next, min_u64(valid, ring->read_end));

    flush_held(ring, first_missing - ring->next, batch);
    report_lost(ring, first_missing, valid, batch);
    ring->inexact = false;
}

/* Skips slots that were never written, and entries older than wanted: they are no loss. */
static uint64_t skip_unwanted(const struct txtap_ring *ring, const struct txtap_ring_plan *plan, uint64_t position)
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

void deliver_entries(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct bounds bounds, uint64_t now_us,
                     struct txtap_ring_batch *batch)
{
    uint64_t valid = plan->end, due;

    if (bounds.upper != UNBOUNDED)
        valid = max_u64(plan->first, bounds.upper - ring->readable);
    if (ring->overtaken && bounds.upper != UNBOUNDED)
        ring_pace_gone(&ring->pace, min_u64(valid, plan->end) - plan->first);
    note_overtaken(ring, plan, bounds, valid);
    if (was_hasty(ring, plan, bounds)) {
        ring_pace_restart(&ring->pace);
        return; /* plan again, from an older entry on */
    }
    if (valid >= plan->end)
        return; /* no entry is valid: plan the same again */
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
