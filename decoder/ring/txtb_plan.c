/* SPDX-License-Identifier: MIT */
/* What an exchange reads, and in which order: the entries, and what shows afterwards which of them are valid. */
#include <assert.h>
#include <string.h>

#include "ring/txtb_pace.h"
#include "ring/txtb_writer.h"

static uint32_t slot_address(const struct txtap_ring *ring, uint64_t position)
{
    return ring->header.ring_start + (uint32_t)(position % ring->entries) * TXTB_ENTRY_BYTES;
}

static void plan_read(struct txtap_ring_plan *plan, uint32_t address, uint32_t length, uint8_t *buffer)
{
    assert(plan->count < TXTAP_RING_READS_MAX);
    plan->reads[plan->count++] = (struct txtap_read){address, length, buffer};
}

static void plan_guard(const struct txtap_ring *ring, struct txtap_ring_plan *plan, uint8_t *buffer)
{
    uint32_t offset = guards_last_slot(ring) ? TXTB_ENTRY_THREAD : GUARD_OFFSET;

    plan_read(plan, slot_address(ring, guard_position(ring)) + offset, TXTAP_RING_GUARD_BYTES, buffer);
}

static void plan_newest(const struct txtap_ring *ring, struct txtap_ring_plan *plan, uint8_t *buffer)
{
    plan_read(plan, slot_address(ring, ring->head - 1), TXTB_ENTRY_BYTES, buffer);
}

/*
 * Is the ring known to have wrapped, so that its last slot is not empty, and would a restart not show otherwise? A new
 * trace's count, 0, is behind an old one's, unless that is so large that 0 seems to be ahead of it, or 0 again.
 */
static bool needs_last_slot(const struct txtap_ring *ring)
{
    bool wrapped = ring->laps_state == TXTAP_LAPS_NONE || ring->head >= 2 * (uint64_t)ring->entries;

    return wrapped && (ring->laps_state != TXTAP_LAPS_COUNTED || (uint16_t)(ring->laps - 1) >= LAPS_BACKWARDS - 1);
}

/*
 * Do the planned entries begin behind the ring's last slot, which is left out or was read before? If tracing restarted,
 * all of them may belong to the new trace: then that slot, which is written last, is still empty. If what was read
 * after that slot belonged to the old trace already, the guard shows the new one, unless it is left out.
 */
static bool begins_behind_last_slot(const struct txtap_ring *ring, const struct txtap_ring_plan *plan)
{
    uint64_t ring_start = ring->head - ring->head % ring->entries;
    uint64_t guarded_from = plan->presume ? 0 : ring->next;

    return needs_last_slot(ring) && guarded_from <= ring_start && ring_start <= plan->first;
}

static void plan_last_slot(const struct txtap_ring *ring, struct txtap_ring_plan *plan)
{
    plan_read(plan, slot_address(ring, ring->entries - 1) + TXTB_ENTRY_THREAD, sizeof plan->last_thread,
              plan->last_thread);
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

/* The first entry not delivered that may still be there. */
static uint64_t oldest_unread(const struct txtap_ring *ring)
{
    return ring->head > ring->readable ? max_u64(ring->next, ring->head - ring->readable) : ring->next;
}

/* Asks which entries to read, and by which evidence. Any answer that keeps within these bounds is safe. */
static void plan_range(const struct txtap_ring *ring, struct txtap_ring_plan *plan)
{
    bool counted = ring->laps_state == TXTAP_LAPS_COUNTED;
    /* Until it is known whether a gap can be exact, leave out only entries older than the attach. */
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

    if (first <= ring->read_end) /* entries held back are read again: read at least one more */
        room = max_u64(room, ring->read_end - first + 1);
    plan->first = first;
    plan->end = min_u64(ring->head, first + room);
    plan->recover = !counted && (ring->guard_gone || choice.recover);
    plan->again = choice.again && !question.half_laps;
    /* Not read, the guard is evidence of nothing: there must be a gap, which then is not exact. */
    plan->presume = choice.presume && question.may_presume && plan->first > ring->read_end;
}

/* If there are no half-laps: what is read as evidence. */
static void plan_evidence(const struct txtap_ring *ring, struct txtap_ring_plan *plan)
{
    bool counted = ring->laps_state == TXTAP_LAPS_COUNTED, unknown = ring->laps_state == TXTAP_LAPS_UNKNOWN;
    bool entries = plan->end > plan->first;

    /* If laps are counted, one case needs more evidence than the count: see laps_bounds(). */
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

void txtap_ring_plan(struct txtap_ring *ring, struct txtap_ring_plan *plan, uint64_t now_us)
{
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
