/* SPDX-License-Identifier: MIT */
/*
 * The ring reader: judges the answers of the exchanges that txtb_plan.c plans. Knows positions, never I/O. The writer
 * may move between any two words read.
 */
#include "txtap/ring.h"

#include <assert.h>
#include <string.h>

#include "ring/txtb_deliver.h"
#include "ring/txtb_half_laps.h"
#include "ring/txtb_pace.h"
#include "ring/txtb_writer.h"

void txtap_ring_init(struct txtap_ring *ring, const struct txtap_ring_config *config)
{
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
    /* FROM_NOW also reads the entry before the first wanted one: it becomes the guard. */
    ring->next = from == TXTAP_RING_FROM_NOW ? ring->head - 1 : ring->start;
    ring->not_wrapped_yet = from == TXTAP_RING_FROM_START && header->laps == 0;
    if (from == TXTAP_RING_FROM_START)
        ring->start = ring->head_at_attach = ring->next = ring->entries; /* the position of a trace's first event */
    if (ring->half_laps_at != 0) { /* there is nothing before the position of the first event */
        ring->start = max_u64(ring->start, ring->entries);
        ring->next = max_u64(ring->next, ring->entries);
    }
    ring->read_end = ring->next;
    ring->patience_us = TXTAP_RING_PATIENCE_US;
}

uint64_t txtap_ring_written(const struct txtap_ring *ring)
{
    return ring->head - ring->seq_base;
}

uint64_t txtap_ring_unread(const struct txtap_ring *ring)
{
    return ring->head > ring->read_end ? ring->head - ring->read_end : 0;
}

uint64_t txtap_ring_held(const struct txtap_ring *ring)
{
    return ring->read_end - ring->next;
}

/* What was read, up to and including the last pointer, and behind it. */
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

/* What an exchange says about the probe and the writer, which has reached that position. */
static void note_pace(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct bounds bounds,
                      uint64_t reached, bool was_gone, uint64_t now_us)
{
    uint64_t moved = reached > plan->head ? reached - plan->head : 0;
    bool counted = ring->laps_state == TXTAP_LAPS_COUNTED, unbounded = bounds.upper == UNBOUNDED;
    struct ring_pace_exchange exchange = {.reads = count_reads(plan), .begin_us = plan->now_us, .end_us = now_us};

    if (!counted && was_gone && moved >= ring->entries)
        moved -= ring->entries; /* that lap was done before the exchange, which only found out */
    if (reached < plan->head)   /* the count is a lap behind the pointer */
        moved = reached + ring->entries - plan->head;
    if (!counted && unbounded && !bounds.stale && moved < ring->readable) /* the evidence is gone */
        exchange.gone = ring->entries - (plan->recover ? 1 : plan->head - ring->read_end + 1);
    exchange.moved = moved;
    exchange.lap = !counted && (unbounded || plan->presume) ? ring->entries : 0;
    ring_pace_note(&ring->pace, &exchange);
}

/*
 * All slots read have been written before. If one is empty now, tracing restarted: the pointer jumped back, which looks
 * like nearly a lap, and old entries would be delivered as new ones.
 */
static bool was_emptied(const struct txtap_ring *ring, const struct txtap_ring_plan *plan)
{
    uint64_t position = ring->started ? plan->first : max_u64(plan->first, ring->head_at_attach);

    for (; position < plan->end; position++)
        if (!is_written(entry_at(ring, plan, position) + TXTB_ENTRY_THREAD))
            return true;
    return plan->last_slot && !is_written(plan->last_thread);
}

/* The words that say where the writer is. TXTAP_AGAIN: nothing of this exchange counts. */
static enum txtap_status take_writer(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct live live[2])
{
    enum txtap_status status = TXTAP_OK;

    if (plan->half_laps)
        return half_laps_take(ring, plan, &live[0]);
    if (ring->left_words_at != 0)
        status = half_laps_watch(ring, plan);
    return status == TXTAP_OK ? take_live(ring, plan, live) : status;
}

enum txtap_status txtap_ring_commit(struct txtap_ring *ring, const struct txtap_ring_plan *plan, uint64_t now_us,
                                    struct txtap_ring_batch *batch)
{
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
    if (ring->readable < ring->entries && was_emptied(ring, plan)) { /* in a file an empty slot means nothing */
        if (ring->laps_state != TXTAP_LAPS_COUNTED)
            ring->head = ring->read_end; /* head took the pointer's jump back for a lap */
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
    if (txtap_ring_unread(ring) == 0 && reached == ring->head &&
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
