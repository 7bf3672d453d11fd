/* SPDX-License-Identifier: MIT */
/* Makes items from a reader's batch, and judges their time stamps. */
#include "stream/batch_items.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "stream/stream_stats.h"
#include "txtap/event.h"

/* ---- when each entry was written ---- */

void write_times_start(struct write_times *write_times, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us)
{
    write_times->at[0] = (struct write_time){head, end_us, exact ? begin_us : 0};
    write_times->count = 1;
}

static void drop_oldest(struct write_times *write_times)
{
    write_times->count--;
    memmove(write_times->at, write_times->at + 1, write_times->count * sizeof *write_times->at);
}

/* Drops the elements for entries before `next`, but keeps the last of these elements. If no element is free after that,
 * the caller overwrites the newest element with the new element. The windows are then wider, but still true. */
static void make_room(struct write_times *write_times, uint64_t next)
{
    while (write_times->count > 1 && write_times->at[1].head <= next)
        drop_oldest(write_times);
    if (write_times->count == WRITE_TIMES_MAX)
        write_times->count--;
}

void write_times_note(struct write_times *write_times, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us,
                      uint64_t next)
{
    struct write_time *last = &write_times->at[write_times->count - 1];
    /* until last->last_us nothing was written beyond last->head, so also nothing beyond the new head */
    uint64_t last_us = last->last_us;

    if (head > last->head) {
        make_room(write_times, next);
        last = &write_times->at[write_times->count++];
        *last = (struct write_time){head, end_us, last_us};
    }
    if (exact && head == last->head)
        last->last_us = begin_us;
}

void write_times_find(const struct write_times *write_times, uint64_t position, uint64_t *from_us, uint64_t *to_us,
                      uint64_t *until)
{
    size_t i = 0;

    while (i + 1 < write_times->count && write_times->at[i].head <= position)
        i++;
    *from_us = i > 0 ? write_times->at[i - 1].last_us : 0;
    *to_us = write_times->at[i].first_us;
    *until = write_times->at[i].head > position ? write_times->at[i].head : UINT64_MAX;
}

/* ---- whether the clock of the time stamps runs ---- */

#define STAMPS_MIN 64u /* if no stamp differs, this number of equal stamps is enough even in a large ring */
#define SMALL_RING 16u /* a single tick may fill half of a ring of this size */

void stamps_seen_note(struct stamps_seen *seen, uint32_t stamp)
{
    seen->equal = seen->count > 0 && stamp == seen->last ? seen->equal + 1 : 1;
    seen->count++;
    seen->last = stamp;
}

enum stamp_clock stamps_seen_clock(const struct stamps_seen *seen, uint32_t entries)
{
    uint64_t many = entries > SMALL_RING ? entries / 2 : entries;
    bool never_moved = seen->equal == seen->count;

    if (seen->equal >= many || (never_moved && seen->count >= STAMPS_MIN))
        return STAMP_CLOCK_STANDS;
    return never_moved ? STAMP_CLOCK_UNKNOWN : STAMP_CLOCK_RUNS;
}

/* ---- how fast the target writes ---- */

#define SPAN_LEAST_US          500000.0
#define SPAN_LAPS              10.0
#define GAP_ESTIMATOR_SLACK_US 200000 /* the last event may have waited this long for delivery */

/* Returns true if the counter can have made this number of ticks since the last event. Assumes at most 1 GHz. */
static bool may_have_made(const struct batch_items *items, uint64_t polled_us, uint32_t ticks)
{
    return (polled_us - items->estimator_us + GAP_ESTIMATOR_SLACK_US) * 1000 >= ticks;
}

/* Adds the ticks and the host's time from the last event to this event, across gaps. */
static void note_span(struct batch_items *items, uint64_t polled_us, uint32_t stamp)
{
    struct stamp_span *span = &items->span;
    uint32_t mask = items->header.timer_mask, forward = (stamp - span->stamp) & mask;

    if (!span->any || may_have_made(items, polled_us, mask / 2)) {
        *span = (struct stamp_span){.any = true};
    } else {
        span->ticks += forward <= mask / 2 ? forward : mask - forward + 1.0;
        span->us += (double)(polled_us - items->estimator_us);
    }
    span->stamp = stamp & mask;
}

/* Computes the rate. An event may have been in the ring for up to a lap before it was read. So the duration of the span
 * is uncertain by the time of up to one lap. */
double batch_items_rate(const struct batch_items *items, uint64_t capacity)
{
    const struct stamp_span *span = &items->span;
    double rate, lap_us;

    if (span->us < SPAN_LEAST_US)
        return 0;
    rate = gap_estimator_rate(&items->estimator) * span->ticks / span->us * 1e6;
    lap_us = rate > 0 ? (double)capacity / rate * 1e6 : 0;
    return span->us >= SPAN_LAPS * lap_us ? rate : 0;
}

/* Learns from the stamps of the last `count` items. */
static void note_run(struct batch_items *items, size_t count, const struct batch_context *context)
{
    const struct txtap_item *run = items->at + items->count - count;

    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        gap_estimator_note(&items->estimator, items->header.timer_mask, run[i].event.stamp);
        stamps_seen_note(&items->seen, run[i].event.stamp);
    }
    if (run[count - 1].event.seq - items->first_seq < context->state->seq_at_attach)
        gap_estimator_break(&items->estimator); /* it is unknown when these events were written */
    else
        note_span(items, context->polled_us, run[count - 1].event.stamp);
    items->estimator_us = context->polled_us;
}

/* ---- gaps ---- */

/* Estimates the gap. `behind` has the batch->count events after the gap. */
static struct gap_estimate guess_gap(struct batch_items *items, const struct txtap_ring_batch *batch,
                                     const struct txtap_item *behind, const struct batch_context *context)
{
    struct gap_estimator_gap gap = {.lost = batch->lost, .lap = batch->lap};
    struct gap_estimator after = {0};
    uint32_t mask = items->header.timer_mask;

    if (batch->exact || batch->count == 0 || items->unknown_before || may_have_made(items, context->polled_us, mask))
        return (struct gap_estimate){0, 0};
    for (size_t i = 0; i < batch->count; i++)
        gap_estimator_note(&after, mask, behind[i].event.stamp);
    gap.stamp = behind->event.stamp;
    return gap_estimate_find(&items->estimator, &after, mask, &gap);
}

/* Returns the number of events that the gap may hide beyond its estimate, or beyond its size if it has no estimate. */
static uint64_t excess_of(const struct txtap_gap *gap, struct gap_estimate guess)
{
    if (gap->exact || guess.estimate > 0)
        return 0;
    return guess.most > 0 ? guess.most - gap->lost : STREAM_EXCESS_MAX;
}

/* Returns true if the reader may miss a lap of the writer, because the guard can look unchanged after a lap. */
static bool may_lose_unseen(const struct batch_items *items, const struct batch_context *context)
{
    return context->guards_by_stamp &&
           stamps_seen_clock(&items->seen, txtap_header_ring_entries(&items->header)) != STAMP_CLOCK_RUNS;
}

static void make_gap(struct batch_items *items, struct txtap_item *item, const struct txtap_ring_batch *batch,
                     const struct batch_context *context)
{
    struct gap_estimate guess = guess_gap(items, batch, item + 1, context);

    *item = (struct txtap_item){
        .kind = TXTAP_ITEM_GAP,
        .gap = {.seq = items->first_seq + batch->lost_seq,
                .lost = batch->lost,
                .exact = batch->exact && !items->unknown_before && !may_lose_unseen(items, context),
                .estimate = guess.estimate},
    };
    items->excess += excess_of(&item->gap, guess);
    items->unknown_before = false;
    gap_estimator_break(&items->estimator);
}

/* ---- items ---- */

/* Adds the entries. Bit n of `unsettled` is for the entry n places before the last. */
static void add_entries(struct batch_items *items, const uint8_t *entries, size_t count, uint64_t seq,
                        uint32_t unsettled)
{
    uint64_t position = seq + items->write_time_base, until = 0, from_us = 0, to_us = 0;

    for (size_t i = 0; i < count; i++) {
        struct txtap_item *item = &items->at[items->count++];
        size_t before_last = count - 1 - i;

        if (position + i >= until && items->write_times.count > 0)
            write_times_find(&items->write_times, position + i, &from_us, &to_us, &until);
        item->kind = TXTAP_ITEM_EVENT;
        item->from_us = from_us;
        item->to_us = to_us;
        txtap_event_parse(entries + i * TXTB_ENTRY_BYTES, &items->header, &item->event);
        item->event.seq = items->first_seq + seq + i;
        item->event.unsettled = before_last < 32 && (unsettled >> before_last & 1);
    }
}

static void make_ring_items(struct batch_items *items, const struct txtap_ring_batch *batch,
                            const struct batch_context *context)
{
    bool held = batch->held_count > 0, entries_first = !held && batch->lost == 0 && batch->count > 0;
    struct txtap_item *gap;

    if (items->unknown_before && (held || entries_first))
        make_gap(items, &items->at[items->count++],
                 &(struct txtap_ring_batch){.lost_seq = held ? batch->held_seq : batch->seq}, context);
    add_entries(items, batch->held, batch->held_count, batch->held_seq, batch->held_unsettled);
    note_run(items, batch->held_count, context);
    gap = batch->lost > 0 ? &items->at[items->count++] : NULL;
    add_entries(items, batch->entries, batch->count, batch->seq, batch->unsettled);
    if (gap != NULL)
        make_gap(items, gap, batch, context);
    note_run(items, batch->count, context);
}

void batch_items_make(struct batch_items *items, const struct reader_batch *batch, const struct batch_context *context)
{
    items->count = 0;
    items->excess = 0;
    if (batch->byte_count > 0) {
        items->at[items->count++] =
            (struct txtap_item){.kind = TXTAP_ITEM_BYTES, .bytes = {batch->bytes, batch->byte_count}};
        return;
    }
    make_ring_items(items, &batch->ring, context);
    if (batch->words != NULL) {
        struct txtap_event *event = &items->at[items->count - 1].event;

        assert(batch->ring.held_count + batch->ring.count == 1);
        event->words = batch->words;
        event->word_count = batch->word_count;
    }
}

void batch_items_note_write_time(struct batch_items *items, const struct reader_write_time *seen)
{
    if (!seen->any)
        return;
    items->write_time_base = seen->base;
    if (seen->counted && items->write_times.count > 0)
        write_times_note(&items->write_times, seen->head, seen->exact, seen->begin_us, seen->end_us, seen->next);
    else
        write_times_start(&items->write_times, seen->head, seen->exact, seen->begin_us, seen->end_us);
}

bool batch_items_open(struct batch_items *items, const struct txtap_header *header, uint64_t first_seq,
                      size_t batch_events)
{
    *items = (struct batch_items){.header = *header, .first_seq = first_seq};
    items->at = calloc(batch_events + 2, sizeof *items->at); /* plus two gaps */
    return items->at != NULL;
}

void batch_items_close(struct batch_items *items)
{
    free(items->at);
    items->at = NULL;
}
