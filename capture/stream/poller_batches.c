/* SPDX-License-Identifier: MIT */
/*
 * Part of the poller: from a reader's batches to items: events with the time in which they were written, gaps with an
 * estimate, bytes. Knows nothing of exchanges and of the pace.
 */
#include "stream/poller_parts.h"

void batches_note_write_time(struct poller *poller, const struct reader_write_time *seen)
{
    if (!seen->any)
        return;
    poller->write_time_base = seen->base;
    if (seen->counted && poller->write_times.count > 0)
        write_times_note(&poller->write_times, seen->head, seen->exact, seen->begin_us, seen->end_us, seen->next);
    else
        write_times_start(&poller->write_times, seen->head, seen->exact, seen->begin_us, seen->end_us);
}

/* Entries that were there when the ring was first read are not counted: when they were written is unknown. */
void batches_count_written(struct poller *poller)
{
    uint64_t head = poller_head(poller);

    if (!poller->reader->unit_is_event)
        return;
    if (poller->head_counted > 0 && head > poller->head_counted)
        poller->stats.written += head - poller->head_counted;
    poller->head_counted = head;
}

/* unsettled: bit n belongs to the entry n before the last one. */
static void parse_entries(const struct poller *poller, const uint8_t *entries, size_t count, uint64_t seq,
                          uint32_t unsettled, struct txtap_item *items)
{
    for (size_t i = 0; i < count; i++) {
        size_t before_last = count - 1 - i;
        struct txtap_event *event = &items[i].event;

        items[i].kind = TXTAP_ITEM_EVENT;
        items[i].from_us = items[i].to_us = 0;
        txtap_event_parse(entries + i * TXTB_ENTRY_BYTES, &poller->header, event);
        event->seq = poller->seq_offset + seq + i;
        event->unsettled = before_last < 32 && (unsettled >> before_last & 1);
    }
}

/* Sets poller->items to the events of the batch; those that were held back come first. */
static void parse_batch(struct poller *poller, const struct reader_batch *batch)
{
    const struct txtap_ring_batch *ring = &batch->ring;
    struct txtap_item *items = poller->items;

    parse_entries(poller, ring->held, ring->held_count, ring->held_seq, ring->held_unsettled, items);
    parse_entries(poller, ring->entries, ring->count, ring->seq, ring->unsettled, items + ring->held_count);
    items[0].event.words = batch->words; /* of the batch's only event */
    items[0].event.word_count = batch->word_count;
}

/* seq: number of the first event in the ring. */
static enum txtap_status take_events(struct poller *poller, struct txtap_item *items, size_t count, uint64_t seq)
{
    uint64_t position = seq + poller->write_time_base, until = 0, from_us = 0, to_us = 0;
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; i < count && status == TXTAP_OK; i++) {
        if (position + i >= until && poller->write_times.count > 0)
            write_times_find(&poller->write_times, position + i, &from_us, &to_us, &until);
        items[i].from_us = from_us;
        items[i].to_us = to_us;
        unseen_note(&poller->unseen, items[i].event.stamp);
        status = names_take(poller, &items[i]);
    }
    return status;
}

#define SPAN_LEAST_US          500000.0
#define SPAN_LAPS              10.0
#define GAP_ESTIMATOR_SLACK_US 200000 /* the last event may have waited this long to be delivered */

static void note_stamps(const struct poller *poller, struct gap_estimator *estimator, const struct txtap_item *items,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        gap_estimator_note(estimator, poller->header.timer_mask, items[i].event.stamp);
}

/* Can the counter have made that many ticks since the last event? At most it counts at 1 GHz. */
static bool may_have_made(const struct poller *poller, uint32_t ticks)
{
    uint64_t us = poller->polled_us - poller->estimator_us + GAP_ESTIMATOR_SLACK_US;

    return us * 1000 >= ticks;
}

static bool may_have_wrapped(const struct poller *poller)
{
    return may_have_made(poller, poller->header.timer_mask);
}

/* Compares the ticks from the last event to this one with the host's clock, across gaps. */
static void note_span(struct poller *poller, uint32_t stamp)
{
    struct poller_span *span = &poller->span;
    uint32_t mask = poller->header.timer_mask, forward = (stamp - span->stamp) & mask;

    if (!span->any || may_have_made(poller, mask / 2)) {
        *span = (struct poller_span){.any = true};
    } else {
        span->ticks += forward <= mask / 2 ? forward : mask - forward + 1.0;
        span->us += (double)(poller->polled_us - poller->estimator_us);
    }
    span->stamp = stamp & mask;
}

/*
 * How many events are written per second, by the time stamps of those read, to about a tenth; 0: unknown. An event may
 * have been in the ring for a lap when it was read, so the span from the first to the last is known to a lap.
 */
static double rate_by_stamps(const struct poller *poller)
{
    double rate, lap_us;

    if (!poller->reader->unit_is_event || poller->span.us < SPAN_LEAST_US)
        return 0;
    rate = gap_estimator_rate(&poller->estimator) * poller->span.ticks / poller->span.us * 1e6;
    lap_us = rate > 0 ? (double)poller_state(poller).capacity / rate * 1e6 : 0;
    return poller->span.us >= SPAN_LAPS * lap_us ? rate : 0;
}

/* Notes a run of events. apart: the first one does not follow the event before it. */
static void note_estimator(struct poller *poller, const struct txtap_item *items, size_t count, uint64_t seq,
                           bool apart)
{
    bool old = seq + count <= poller_state(poller).seq_at_attach; /* when it was written is unknown */

    if (count == 0)
        return;
    if (apart)
        gap_estimator_break(&poller->estimator);
    note_stamps(poller, &poller->estimator, items, count);
    if (old)
        gap_estimator_break(&poller->estimator);
    else
        note_span(poller, items[count - 1].event.stamp);
    poller->estimator_us = poller->polled_us;
    poller->stats.rate_by_stamps = rate_by_stamps(poller);
}

static struct gap_estimate guess_gap(struct poller *poller, const struct txtap_ring_batch *batch)
{
    const struct txtap_item *behind = poller->items + batch->held_count;
    struct gap_estimator_gap gap = {.lost = batch->lost, .lap = batch->lap};
    struct gap_estimator after = {0};

    if (batch->exact || batch->count == 0 || poller->unknown_before || may_have_wrapped(poller))
        return (struct gap_estimate){0, 0};
    note_stamps(poller, &after, behind, batch->count);
    gap.stamp = behind->event.stamp;
    return gap_estimate_find(&poller->estimator, &after, poller->header.timer_mask, &gap);
}

/* How many more events the gap may hide than the sum of the estimates counts for it. */
static uint64_t excess_of(const struct txtap_gap *gap, struct gap_estimate guess)
{
    if (gap->exact || guess.estimate > 0)
        return 0;
    return guess.most > 0 ? guess.most - gap->lost : STREAM_EXCESS_MAX;
}

static enum txtap_status take_gap(struct poller *poller, const struct txtap_ring_batch *batch)
{
    struct gap_estimate guess = guess_gap(poller, batch);
    const struct txtap_gap gap = {.seq = poller->seq_offset + batch->lost_seq,
                                  .lost = batch->lost,
                                  .exact = batch->exact && !poller->unknown_before && !poller_may_lose_unseen(poller),
                                  .estimate = guess.estimate};

    if (poller->stats.excess < STREAM_EXCESS_MAX)
        poller->stats.excess += excess_of(&gap, guess);
    poller->unknown_before = false;
    return names_take(poller, &(struct txtap_item){.kind = TXTAP_ITEM_GAP, .gap = gap});
}

static enum txtap_status take_ring_batch(struct poller *poller, const struct txtap_ring_batch *batch)
{
    bool held = batch->held_count > 0, entries_first = !held && batch->lost == 0 && batch->count > 0;
    struct txtap_item *items = poller->items, *behind = items + batch->held_count;
    enum txtap_status status = TXTAP_OK;

    if (poller->unknown_before && (held || entries_first))
        status = take_gap(poller, &(struct txtap_ring_batch){.lost_seq = held ? batch->held_seq : batch->seq});
    if (status == TXTAP_OK)
        status = take_events(poller, items, batch->held_count, batch->held_seq);
    note_estimator(poller, items, batch->held_count, batch->held_seq, false);
    if (status == TXTAP_OK && batch->lost > 0)
        status = take_gap(poller, batch);
    note_estimator(poller, behind, batch->count, batch->seq, batch->lost > 0);
    if (status == TXTAP_OK)
        status = take_events(poller, behind, batch->count, batch->seq);
    return status;
}

static enum txtap_status take_batch(struct poller *poller, const struct reader_batch *batch)
{
    const struct txtap_item bytes = {.kind = TXTAP_ITEM_BYTES, .bytes = {batch->bytes, batch->byte_count}};

    return batch->byte_count > 0 ? txtap_sink_take(poller->sink, &bytes) : take_ring_batch(poller, &batch->ring);
}

/* Delivers all batches. Entries that were read are delivered even if the names in them cannot be read. */
enum txtap_status batches_take(struct poller *poller, enum txtap_status *named, size_t *delivered, struct error *error)
{
    struct reader_batch batch;
    enum txtap_status status = TXTAP_OK;

    *delivered = 0;
    while (status == TXTAP_OK && poller->reader_self != NULL && poller->reader->next(poller->reader_self, &batch)) {
        *delivered += batch.ring.held_count + batch.ring.count;
        parse_batch(poller, &batch);
        copies_note(poller, &batch.ring);
        status = take_batch(poller, &batch);
    }
    if (named != NULL && *named == TXTAP_OK)
        *named = copies_follow(poller, error);
    return status == TXTAP_OK ? names_release(poller) : status;
}
