/* SPDX-License-Identifier: MIT */
/* One step of reading: exchange, delivery, pace. Resets are event_stream.c's business. */
#include "stream/poller.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/wall_offset.h"
#include "probe/memory.h"
#include "stream/poller_names.h"
#include "stream/poller_unseen.h"
#include "txtap/event.h"

#define KNOWN_OBJECTS_MIN 1024 /* room for objects that the target has forgotten */

#define INTERVAL_MIN_US  1000
#define INTERVAL_BUSY_US 20000 /* the longest pause while events flow */
#define INTERVAL_IDLE_US 40000
#define BURST_US         60 /* per event of a burst that ends a silence: the ring must last until the next poll */

enum txtap_status poller_exchange(struct poller *poller, const struct txtap_read *reads, size_t count,
                                  struct error *error)
{
    enum txtap_status status = poller->source.ops->read(poller->source.self, reads, count);

    if (status != TXTAP_OK)
        return memory_failure(poller->source, status, NULL, error);
    poller->stats.requests++;
    for (size_t i = 0; i < count; i++)
        poller->stats.bytes_read += reads[i].length;
    return TXTAP_OK;
}

enum txtap_status poller_read(struct poller *poller, uint32_t address, uint32_t length, uint8_t *buffer,
                              struct error *error)
{
    uint32_t most = poller->source.ops->read_bytes_max;

    while (length > 0) {
        uint32_t part = length < most ? length : most;
        struct txtap_read read = {address, part, buffer};
        enum txtap_status status = poller_exchange(poller, &read, 1, error);

        if (status != TXTAP_OK)
            return status;
        address += part;
        buffer += part;
        length -= part;
    }
    return TXTAP_OK;
}

/* ---- memory ---- */

/* The known objects are more than the registry's, which not every ring has: names are learned from events, too. */
static enum txtap_status allocate(struct poller *poller, struct error *error)
{
    uint32_t objects = txtap_header_registry_entries(&poller->header);
    size_t known = (size_t)objects + KNOWN_OBJECTS_MIN;

    poller->objects_bytes = (objects * txtap_header_object_bytes(&poller->header)) & ~3u;
    poller->objects = calloc(1, poller->objects_bytes + 1);
    poller->known = calloc(known, sizeof *poller->known);
    if (!poller->objects || !poller->known || !names_init(poller))
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for the objects of the trace at 0x%08" PRIx32,
                       poller->address);
    txtap_registry_init(&poller->registry, poller->known, known);
    return TXTAP_OK;
}

void poller_free(struct poller *poller)
{
    free(poller->objects);
    free(poller->known);
    free(poller->items);
    names_free(poller);
    poller->objects = NULL;
    poller->known = NULL;
    poller->items = NULL;
    if (poller->reader_self != NULL)
        poller->reader->close(poller->reader_self);
    poller->reader_self = NULL; /* nothing in this ring counts from here on */
}

static enum txtap_status allocate_items(struct poller *poller, struct error *error)
{
    poller->items = calloc(poller_state(poller).batch_events + 1, sizeof *poller->items);
    if (poller->items == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for the events of the trace at 0x%08" PRIx32,
                       poller->address);
    return TXTAP_OK;
}

static enum txtap_status open_ring(struct poller *poller, const struct reader_place *place, enum txtap_ring_from from,
                                   struct error *error)
{
    const struct reader_setup setup = {
        .place = place,
        .address = poller->address,
        .header = &poller->header,
        .read_bytes_max = poller->source.ops->read_bytes_max,
        .from = from,
        .patience_us = poller->settings.patience_us,
        .registry = &poller->registry,
    };
    enum txtap_status status = allocate(poller, error);

    if (status == TXTAP_OK)
        status = place->ops->open(&poller->reader_self, &setup, error);
    if (status == TXTAP_OK)
        status = allocate_items(poller, error);
    if (status == TXTAP_OK)
        status = names_begin(poller, error);
    if (status != TXTAP_OK)
        poller_free(poller);
    return status;
}

/* Sets the part of a poller that belongs to one ring. */
static enum txtap_status begin_ring(struct poller *poller, const struct poller_place *place, enum txtap_ring_from from,
                                    struct error *error)
{
    enum txtap_status status;

    poller->source = place->source;
    poller->header = place->header;
    poller->address = place->address;
    poller->reader = place->reader.ops;
    poller->at_rest = place->at_rest;
    poller->pointer = place->pointer;
    poller->elsewhere = poller->unknown_before = false;
    poller->interval_us = INTERVAL_MIN_US;
    poller->poll_now = true;
    poller->estimator = (struct gap_estimator){0};
    poller->unseen = (struct unseen){0};
    poller->write_times.count = 0;
    status = open_ring(poller, &place->reader, from, error);
    poller->last_step_us = poller->in_use_us = poller->now_us();
    return status;
}

enum txtap_status poller_init(struct poller *poller, const struct poller_place *place,
                              const struct poller_settings *settings, struct txtap_sink sink, struct error *error)
{
    memset(poller, 0, sizeof *poller);
    poller->settings = *settings;
    poller->now_us = settings->now_us;
    poller->sink = sink;
    poller->stats.lost_exact = true;
    txtap_event_maker_init(&poller->maker, place->header.timer_mask, settings->tick_hz);
    if (settings->unix_us != NULL)
        poller->maker.unix_offset_us = wall_offset_us(settings->unix_us, settings->now_us);
    return begin_ring(poller, place, settings->from, error);
}

struct reader_state poller_state(const struct poller *poller)
{
    return poller->reader_self != NULL ? poller->reader->state(poller->reader_self) : (struct reader_state){0};
}

uint64_t poller_next_seq(const struct poller *poller)
{
    return poller->seq_offset + poller_state(poller).next_seq;
}

uint64_t poller_head(const struct poller *poller)
{
    return poller_state(poller).head;
}

bool poller_is_read(const struct poller *poller)
{
    const struct reader_state state = poller_state(poller);

    return state.next >= state.head;
}

void poller_mark_all_inexact(struct poller *poller)
{
    poller->unknown_before = true;
}

void poller_mark_inexact(struct poller *poller)
{
    if (poller->reader_self != NULL && poller->reader->mark_inexact != NULL)
        poller->reader->mark_inexact(poller->reader_self);
}

enum txtap_status poller_restart(struct poller *poller, const struct poller_place *place, enum txtap_ring_from from,
                                 struct error *error)
{
    enum txtap_status status;

    poller->seq_offset = poller_next_seq(poller);
    poller->event_rate = 0;
    poller->head_counted = 0;
    poller_free(poller);
    status = begin_ring(poller, place, from, error);
    if (status != TXTAP_OK)
        return status;
    txtap_event_maker_restart(&poller->maker, poller->header.timer_mask);
    return txtap_sink_take(poller->sink, &(struct txtap_item){.kind = TXTAP_ITEM_RESTART, .header = poller->header});
}

/* ---- delivery ---- */

static void note_write_time(struct poller *poller, const struct reader_write_time *seen)
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
static void count_written(struct poller *poller)
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

#define GAP_ESTIMATOR_SLACK_US 200000 /* the last event may have waited this long to be delivered */

static void note_stamps(const struct poller *poller, struct gap_estimator *estimator, const struct txtap_item *items,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        gap_estimator_note(estimator, poller->header.timer_mask, items[i].event.stamp);
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
    poller->estimator_us = poller->polled_us;
}

/* Can the counter have made a whole period since the last event? At most it counts at 1 GHz. */
static bool may_have_wrapped(const struct poller *poller)
{
    uint64_t us = poller->polled_us - poller->estimator_us + GAP_ESTIMATOR_SLACK_US;

    return us * 1000 >= poller->header.timer_mask;
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
static enum txtap_status take_batches(struct poller *poller, enum txtap_status *named, size_t *delivered,
                                      struct error *error)
{
    struct reader_batch batch;
    enum txtap_status status = TXTAP_OK;

    *delivered = 0;
    while (status == TXTAP_OK && poller->reader_self != NULL && poller->reader->next(poller->reader_self, &batch)) {
        *delivered += batch.ring.held_count + batch.ring.count;
        parse_batch(poller, &batch);
        names_note(poller, &batch.ring);
        status = take_batch(poller, &batch);
    }
    if (named != NULL && *named == TXTAP_OK)
        *named = names_follow(poller, error);
    return status == TXTAP_OK ? names_release(poller) : status;
}

/* ---- pace ---- */

/*
 * While events flow, polls when a quarter of the ring has filled, but at least every INTERVAL_BUSY_US. Without events,
 * polls less and less often, as far as the ring's size allows. Polls at once if much is waiting, or if something
 * appeared in an idle ring.
 */
static void adapt_pace(struct poller *poller, size_t delivered, uint64_t now)
{
    const struct reader_state state = poller_state(poller);
    uint64_t lap_us = state.capacity * BURST_US;
    uint64_t idle_us = lap_us < INTERVAL_IDLE_US ? lap_us : INTERVAL_IDLE_US;
    double seconds = (double)(now - poller->last_step_us + 1) / 1e6;
    double weight = seconds < 0.2 ? seconds / 0.2 : 1.0;

    poller->last_step_us = now;
    poller->event_rate += weight * ((double)delivered / seconds - poller->event_rate);
    poller->stats.unread = state.unread;
    if (state.unread > poller->stats.unread_max)
        poller->stats.unread_max = state.unread;
    poller->poll_now =
        state.unread > state.capacity / 8 || (state.idle && state.unread > 0) || state.poll_now || names_hurry(poller);
    if (!state.idle || state.unread > 0) {
        double quarter_us = (double)state.capacity / 4.0 / (poller->event_rate + 1.0) * 1e6;

        poller->interval_us = quarter_us < INTERVAL_BUSY_US ? (uint64_t)quarter_us : INTERVAL_BUSY_US;
    } else {
        poller->interval_us += poller->interval_us / 2;
    }
    if (poller->interval_us > idle_us)
        poller->interval_us = idle_us;
    if (poller->interval_us < INTERVAL_MIN_US)
        poller->interval_us = INTERVAL_MIN_US;
}

uint64_t poller_delay_us(const struct poller *poller)
{
    return poller->poll_now ? 0 : poller->interval_us;
}

/* ---- steps ---- */

/*
 * An idle exchange also reads the word that says where the firmware records. A buffer that the firmware has left looks
 * like one in which nothing happens, while the other one fills up.
 */
static size_t add_pointer(struct poller *poller, const struct txtap_read **reads, size_t count)
{
    if (poller->pointer == 0 || count >= TXTAP_RING_READS_MAX || count >= poller->source.ops->reads_max ||
        !poller_state(poller).idle)
        return count;
    memcpy(poller->reads, *reads, count * sizeof **reads);
    poller->reads[count] = (struct txtap_read){poller->pointer, sizeof poller->pointer_bytes, poller->pointer_bytes};
    *reads = poller->reads;
    return count + 1;
}

/* before: the ring's head before this exchange, which began at begin. If the head has moved, the firmware still used
 * this buffer when the previous exchange began. */
static void note_use(struct poller *poller, bool asked, uint64_t before, uint64_t begin)
{
    uint32_t address = asked ? memory_word(poller->pointer_bytes, poller->header.endian) : 0;

    if (asked && address == poller->address)
        poller->in_use_us = begin;
    else if (poller_head(poller) != before)
        poller->in_use_us = poller->begin_us;
    poller->begin_us = begin;
    poller->elsewhere = poller->elsewhere || (address != 0 && address != poller->address);
}

enum txtap_status poller_fetch(struct poller *poller, struct error *error)
{
    const struct reader_ops *reader = poller->reader;
    struct reader_write_time write_time = {.any = false};
    const struct txtap_read *reads;
    uint64_t begin = poller->now_us(), head = poller_head(poller);
    size_t count, asked;
    enum txtap_status status;

    if (poller->reader_self == NULL)
        return TXTAP_OK;
    count = reader->plan(poller->reader_self, &reads, begin);
    asked = add_pointer(poller, &reads, count);
    status = poller_exchange(poller, reads, asked, error);
    if (status != TXTAP_OK)
        return status;
    poller->stats.polls++;
    poller->polled_us = poller->now_us();
    status = reader->commit(poller->reader_self, begin, poller->polled_us, &write_time);
    if (status != TXTAP_OK)
        return failure(error, status, "%s at 0x%08" PRIx32 ": %s", reader->name, poller->address,
                       status == TXTAP_ERROR_POINTER ? reader->bad_pointer : reader->restarted);
    note_use(poller, asked > count, head, begin);
    note_write_time(poller, &write_time);
    count_written(poller);
    names_see_head(poller, write_time.exact);
    return TXTAP_OK;
}

enum txtap_status poller_deliver(struct poller *poller, struct error *error)
{
    enum txtap_status status = TXTAP_OK, taken;
    size_t delivered;

    taken = take_batches(poller, &status, &delivered, error);
    adapt_pace(poller, delivered, poller->polled_us);
    if (taken == TXTAP_OK && status == TXTAP_OK)
        status = poller_watch_for_unseen(poller, poller->polled_us, error);
    if (taken != TXTAP_OK)
        error_clear(error);
    return taken != TXTAP_OK ? taken : status;
}

enum txtap_status poller_step(struct poller *poller, struct error *error)
{
    enum txtap_status status = poller_fetch(poller, error);

    return status == TXTAP_OK ? poller_deliver(poller, error) : status;
}

enum txtap_status poller_finish(struct poller *poller, uint64_t until)
{
    struct error unused;
    size_t delivered;
    enum txtap_status status;

    if (poller->reader_self != NULL && poller->reader->finish != NULL)
        poller->reader->finish(poller->reader_self, until);
    status = take_batches(poller, NULL, &delivered, &unused);
    return status == TXTAP_OK ? poller_flush(poller) : status;
}

enum txtap_status poller_drain(struct poller *poller, uint64_t limit_us, struct error *error)
{
    uint64_t deadline = poller->now_us() + limit_us;
    enum txtap_status status = poller_step(poller, error); /* learns how far the target has written */
    uint64_t until = poller_head(poller);

    while (status == TXTAP_OK && (poller_state(poller).next < until || names_wait(poller)) &&
           poller->now_us() < deadline) {
        bool laps_behind = poller_state(poller).laps_behind;

        status = poller_step(poller, error);
        if (laps_behind) /* the pointer that was read was laps behind */
            until = poller_head(poller);
    }
    if (status == TXTAP_OK)
        status = poller_finish(poller, until);
    return status == TXTAP_OK ? poller_judge_unseen(poller, error) : status;
}
