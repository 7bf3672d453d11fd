/* SPDX-License-Identifier: MIT */
/* One step of reading: exchange, registry, pace. Survives no reset: that is follow.c's. */
#include "stream/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/wall_offset.h"
#include "probe/memory.h"
#include "stream/session_names.h"
#include "stream/session_unseen.h"
#include "txtap/event.h"

#define KNOWN_OBJECTS_MIN 1024 /* room for objects that the target has forgotten */

#define INTERVAL_MIN_US  1000
#define INTERVAL_BUSY_US 20000 /* events are shown at the latest so long after the poll that saw them */
#define INTERVAL_IDLE_US 40000
#define BURST_US         60 /* an event of a burst that ends a silence: the ring must outlast the wait for the next poll */

enum txtap_status session_exchange(struct session *session, const struct txtap_read *reads, size_t count,
                                   struct error *error)
{
    enum txtap_status status = session->source.ops->read(session->source.self, reads, count);

    if (status != TXTAP_OK)
        return memory_failure(session->source, status, NULL, error);
    session->stats.requests++;
    for (size_t i = 0; i < count; i++)
        session->stats.bytes_read += reads[i].length;
    return TXTAP_OK;
}

enum txtap_status session_read(struct session *session, uint32_t address, uint32_t length, uint8_t *buffer,
                               struct error *error)
{
    uint32_t most = session->source.ops->read_bytes_max;

    while (length > 0) {
        uint32_t part = length < most ? length : most;
        struct txtap_read read = {address, part, buffer};
        enum txtap_status status = session_exchange(session, &read, 1, error);

        if (status != TXTAP_OK)
            return status;
        address += part;
        buffer += part;
        length -= part;
    }
    return TXTAP_OK;
}

/* ---- memory ---- */

/* What is learned of names has room beside the registry, which not every ring has. */
static enum txtap_status allocate(struct session *session, struct error *error)
{
    uint32_t objects = txtap_header_registry_entries(&session->header);
    size_t known = (size_t)objects + KNOWN_OBJECTS_MIN;

    session->objects_bytes = (objects * txtap_header_object_bytes(&session->header)) & ~3u;
    session->objects = calloc(1, session->objects_bytes + 1);
    session->known = calloc(known, sizeof *session->known);
    if (!session->objects || !session->known || !names_init(session))
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for the objects of the trace at 0x%08" PRIx32,
                       session->address);
    txtap_registry_init(&session->registry, session->known, known);
    return TXTAP_OK;
}

void session_free(struct session *session)
{
    free(session->objects);
    free(session->known);
    free(session->items);
    names_free(session);
    session->objects = NULL;
    session->known = NULL;
    session->items = NULL;
    if (session->reader_self != NULL)
        session->reader->close(session->reader_self);
    session->reader_self = NULL; /* nothing of this ring counts from here on */
}

static enum txtap_status allocate_items(struct session *session, struct error *error)
{
    session->items = calloc(session_state(session).batch_events + 1, sizeof *session->items);
    if (session->items == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for the events of the trace at 0x%08" PRIx32,
                       session->address);
    return TXTAP_OK;
}

static enum txtap_status open_ring(struct session *session, const struct reader_place *place, enum txtap_ring_from from,
                                   struct error *error)
{
    const struct reader_setup setup = {
        .place = place,
        .address = session->address,
        .header = &session->header,
        .read_bytes_max = session->source.ops->read_bytes_max,
        .from = from,
        .patience_us = session->settings.patience_us,
        .registry = &session->registry,
    };
    enum txtap_status status = allocate(session, error);

    if (status == TXTAP_OK)
        status = place->ops->open(&session->reader_self, &setup, error);
    if (status == TXTAP_OK)
        status = allocate_items(session, error);
    if (status == TXTAP_OK)
        status = names_begin(session, error);
    if (status != TXTAP_OK)
        session_free(session);
    return status;
}

/* The part of a session that belongs to one ring. */
static enum txtap_status begin_ring(struct session *session, const struct session_place *place,
                                    enum txtap_ring_from from, struct error *error)
{
    enum txtap_status status;

    session->source = place->source;
    session->header = place->header;
    session->address = place->address;
    session->reader = place->reader.ops;
    session->at_rest = place->at_rest;
    session->pointer = place->pointer;
    session->elsewhere = session->unknown_before = false;
    session->interval_us = INTERVAL_MIN_US;
    session->poll_now = true;
    session->estimator = (struct gap_estimator){0};
    session->unseen = (struct unseen){0};
    session->write_times.count = 0;
    status = open_ring(session, &place->reader, from, error);
    session->last_step_us = session->in_use_us = session->now_us();
    return status;
}

enum txtap_status session_init(struct session *session, const struct session_place *place,
                               const struct session_settings *settings, struct txtap_sink sink, struct error *error)
{
    memset(session, 0, sizeof *session);
    session->settings = *settings;
    session->now_us = settings->now_us;
    session->sink = sink;
    session->stats.lost_exact = true;
    txtap_event_maker_init(&session->maker, place->header.timer_mask, settings->tick_hz);
    if (settings->unix_us != NULL)
        session->maker.unix_offset_us = wall_offset_us(settings->unix_us, settings->now_us);
    return begin_ring(session, place, settings->from, error);
}

struct reader_state session_state(const struct session *session)
{
    return session->reader_self != NULL ? session->reader->state(session->reader_self) : (struct reader_state){0};
}

uint64_t session_next_seq(const struct session *session)
{
    return session->seq_offset + session_state(session).next_seq;
}

uint64_t session_head(const struct session *session)
{
    return session_state(session).head;
}

bool session_is_read(const struct session *session)
{
    const struct reader_state state = session_state(session);

    return state.next >= state.head;
}

void session_mark_all_inexact(struct session *session)
{
    session->unknown_before = true;
}

void session_mark_inexact(struct session *session)
{
    if (session->reader_self != NULL && session->reader->mark_inexact != NULL)
        session->reader->mark_inexact(session->reader_self);
}

enum txtap_status session_restart(struct session *session, const struct session_place *place, enum txtap_ring_from from,
                                  struct error *error)
{
    enum txtap_status status;

    session->seq_offset = session_next_seq(session);
    session->event_rate = 0;
    session->head_counted = 0;
    session_free(session);
    status = begin_ring(session, place, from, error);
    if (status != TXTAP_OK)
        return status;
    txtap_event_maker_restart(&session->maker, session->header.timer_mask);
    return txtap_sink_take(session->sink, &(struct txtap_item){.kind = TXTAP_ITEM_RESTART, .header = session->header});
}

/* ---- delivery ---- */

static void note_write_time(struct session *session, const struct reader_write_time *seen)
{
    if (!seen->any)
        return;
    session->write_time_base = seen->base;
    if (seen->counted && session->write_times.count > 0)
        write_times_note(&session->write_times, seen->head, seen->exact, seen->begin_us, seen->end_us, seen->next);
    else
        write_times_start(&session->write_times, seen->head, seen->exact, seen->begin_us, seen->end_us);
}

/* What was there at the first look was written before: it says nothing of how many are written now. */
static void count_written(struct session *session)
{
    uint64_t head = session_head(session);

    if (!session->reader->unit_is_event)
        return;
    if (session->head_counted > 0 && head > session->head_counted)
        session->stats.written += head - session->head_counted;
    session->head_counted = head;
}

/* unsettled: bit n of the entry n before the last one. */
static void parse_entries(const struct session *session, const uint8_t *entries, size_t count, uint64_t seq,
                          uint32_t unsettled, struct txtap_item *items)
{
    for (size_t i = 0; i < count; i++) {
        size_t before_last = count - 1 - i;
        struct txtap_event *event = &items[i].event;

        items[i].kind = TXTAP_ITEM_EVENT;
        items[i].from_us = items[i].to_us = 0;
        txtap_event_parse(entries + i * TXTB_ENTRY_BYTES, &session->header, event);
        event->seq = session->seq_offset + seq + i;
        event->unsettled = before_last < 32 && (unsettled >> before_last & 1);
    }
}

/* The batch's events: session->items, those that were held back at first. */
static void parse_batch(struct session *session, const struct reader_batch *batch)
{
    const struct txtap_ring_batch *ring = &batch->ring;
    struct txtap_item *items = session->items;

    parse_entries(session, ring->held, ring->held_count, ring->held_seq, ring->held_unsettled, items);
    parse_entries(session, ring->entries, ring->count, ring->seq, ring->unsettled, items + ring->held_count);
    items[0].event.words = batch->words; /* of the batch's only event */
    items[0].event.word_count = batch->word_count;
}

/* seq: of the first, as the ring counts. */
static enum txtap_status take_events(struct session *session, struct txtap_item *items, size_t count, uint64_t seq)
{
    uint64_t position = seq + session->write_time_base, until = 0, from_us = 0, to_us = 0;
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; i < count && status == TXTAP_OK; i++) {
        if (position + i >= until && session->write_times.count > 0)
            write_times_find(&session->write_times, position + i, &from_us, &to_us, &until);
        items[i].from_us = from_us;
        items[i].to_us = to_us;
        unseen_note(&session->unseen, items[i].event.stamp);
        status = names_take(session, &items[i]);
    }
    return status;
}

#define GAP_ESTIMATOR_SLACK_US 200000 /* so long may the last event have waited to be delivered */

static void note_stamps(const struct session *session, struct gap_estimator *estimator, const struct txtap_item *items,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        gap_estimator_note(estimator, session->header.timer_mask, items[i].event.stamp);
}

/* A run of events, of which the first does not follow what came before if apart is true. */
static void note_estimator(struct session *session, const struct txtap_item *items, size_t count, uint64_t seq,
                           bool apart)
{
    bool old = seq + count <= session_state(session).seq_at_attach; /* written who knows how long ago */

    if (count == 0)
        return;
    if (apart)
        gap_estimator_break(&session->estimator);
    note_stamps(session, &session->estimator, items, count);
    if (old)
        gap_estimator_break(&session->estimator);
    session->estimator_us = session->polled_us;
}

/* Of the time since the last event no counter may make a whole period: not even one of 1 GHz. */
static bool may_have_wrapped(const struct session *session)
{
    uint64_t us = session->polled_us - session->estimator_us + GAP_ESTIMATOR_SLACK_US;

    return us * 1000 >= session->header.timer_mask;
}

static struct gap_estimate guess_gap(struct session *session, const struct txtap_ring_batch *batch)
{
    const struct txtap_item *behind = session->items + batch->held_count;
    struct gap_estimator_gap gap = {.lost = batch->lost, .lap = batch->lap};
    struct gap_estimator after = {0};

    if (batch->exact || batch->count == 0 || session->unknown_before || may_have_wrapped(session))
        return (struct gap_estimate){0, 0};
    note_stamps(session, &after, behind, batch->count);
    gap.stamp = behind->event.stamp;
    return gap_estimate_find(&session->estimator, &after, session->header.timer_mask, &gap);
}

/* How much more the gap may be than what counts for it in the sum of the estimates. */
static uint64_t excess_of(const struct txtap_gap *gap, struct gap_estimate guess)
{
    if (gap->exact || guess.estimate > 0)
        return 0;
    return guess.most > 0 ? guess.most - gap->lost : SESSION_EXCESS_MAX;
}

static enum txtap_status take_gap(struct session *session, const struct txtap_ring_batch *batch)
{
    struct gap_estimate guess = guess_gap(session, batch);
    const struct txtap_gap gap = {.seq = session->seq_offset + batch->lost_seq,
                                  .lost = batch->lost,
                                  .exact =
                                      batch->exact && !session->unknown_before && !session_may_lose_unseen(session),
                                  .estimate = guess.estimate};

    if (session->stats.excess < SESSION_EXCESS_MAX)
        session->stats.excess += excess_of(&gap, guess);
    session->unknown_before = false;
    return names_take(session, &(struct txtap_item){.kind = TXTAP_ITEM_GAP, .gap = gap});
}

static enum txtap_status take_ring_batch(struct session *session, const struct txtap_ring_batch *batch)
{
    bool held = batch->held_count > 0, entries_first = !held && batch->lost == 0 && batch->count > 0;
    struct txtap_item *items = session->items, *behind = items + batch->held_count;
    enum txtap_status status = TXTAP_OK;

    if (session->unknown_before && (held || entries_first))
        status = take_gap(session, &(struct txtap_ring_batch){.lost_seq = held ? batch->held_seq : batch->seq});
    if (status == TXTAP_OK)
        status = take_events(session, items, batch->held_count, batch->held_seq);
    note_estimator(session, items, batch->held_count, batch->held_seq, false);
    if (status == TXTAP_OK && batch->lost > 0)
        status = take_gap(session, batch);
    note_estimator(session, behind, batch->count, batch->seq, batch->lost > 0);
    if (status == TXTAP_OK)
        status = take_events(session, behind, batch->count, batch->seq);
    return status;
}

static enum txtap_status take_batch(struct session *session, const struct reader_batch *batch)
{
    const struct txtap_item bytes = {.kind = TXTAP_ITEM_BYTES, .bytes = {batch->bytes, batch->byte_count}};

    return batch->byte_count > 0 ? txtap_sink_take(session->sink, &bytes) : take_ring_batch(session, &batch->ring);
}

/* All that stands. What was read is read, even if the names in it cannot be. */
static enum txtap_status take_batches(struct session *session, enum txtap_status *named, size_t *delivered,
                                      struct error *error)
{
    struct reader_batch batch;
    enum txtap_status status = TXTAP_OK;

    *delivered = 0;
    while (status == TXTAP_OK && session->reader_self != NULL && session->reader->next(session->reader_self, &batch)) {
        *delivered += batch.ring.held_count + batch.ring.count;
        parse_batch(session, &batch);
        names_note(session, &batch.ring);
        status = take_batch(session, &batch);
    }
    if (named != NULL && *named == TXTAP_OK)
        *named = names_follow(session, error);
    return status == TXTAP_OK ? names_release(session) : status;
}

/* ---- pace ---- */

/*
 * While events flow, a poll when the ring has filled by a quarter, but at least every INTERVAL_BUSY_US; when none do,
 * less and less often, as far as the ring's size allows. At once when much is waiting, or when something appeared in an
 * idle ring.
 */
static void adapt_pace(struct session *session, size_t delivered, uint64_t now)
{
    const struct reader_state state = session_state(session);
    uint64_t lap_us = state.capacity * BURST_US;
    uint64_t idle_us = lap_us < INTERVAL_IDLE_US ? lap_us : INTERVAL_IDLE_US;
    double seconds = (double)(now - session->last_step_us + 1) / 1e6;
    double weight = seconds < 0.2 ? seconds / 0.2 : 1.0;

    session->last_step_us = now;
    session->event_rate += weight * ((double)delivered / seconds - session->event_rate);
    session->stats.unread = state.unread;
    if (state.unread > session->stats.unread_max)
        session->stats.unread_max = state.unread;
    session->poll_now =
        state.unread > state.capacity / 8 || (state.idle && state.unread > 0) || state.poll_now || names_hurry(session);
    if (!state.idle || state.unread > 0) {
        double quarter_us = (double)state.capacity / 4.0 / (session->event_rate + 1.0) * 1e6;

        session->interval_us = quarter_us < INTERVAL_BUSY_US ? (uint64_t)quarter_us : INTERVAL_BUSY_US;
    } else {
        session->interval_us += session->interval_us / 2;
    }
    if (session->interval_us > idle_us)
        session->interval_us = idle_us;
    if (session->interval_us < INTERVAL_MIN_US)
        session->interval_us = INTERVAL_MIN_US;
}

uint64_t session_delay_us(const struct session *session)
{
    return session->poll_now ? 0 : session->interval_us;
}

/* ---- steps ---- */

/*
 * In an idle exchange one word more is read: the one that says where the firmware records. A buffer that was left looks
 * like one in which nothing happens, and meanwhile the other one fills up.
 */
static size_t add_pointer(struct session *session, const struct txtap_read **reads, size_t count)
{
    if (session->pointer == 0 || count >= TXTAP_RING_READS_MAX || count >= session->source.ops->reads_max ||
        !session_state(session).idle)
        return count;
    memcpy(session->reads, *reads, count * sizeof **reads);
    session->reads[count] =
        (struct txtap_read){session->pointer, sizeof session->pointer_bytes, session->pointer_bytes};
    *reads = session->reads;
    return count + 1;
}

/* before: the ring's head before the exchange that began then. What was written since the one before was written here.
 */
static void note_use(struct session *session, bool asked, uint64_t before, uint64_t begin)
{
    uint32_t address = asked ? memory_word(session->pointer_bytes, session->header.endian) : 0;

    if (asked && address == session->address)
        session->in_use_us = begin;
    else if (session_head(session) != before)
        session->in_use_us = session->begin_us;
    session->begin_us = begin;
    session->elsewhere = session->elsewhere || (address != 0 && address != session->address);
}

enum txtap_status session_poll(struct session *session, struct error *error)
{
    const struct reader_ops *reader = session->reader;
    struct reader_write_time write_time = {.any = false};
    const struct txtap_read *reads;
    uint64_t begin = session->now_us(), head = session_head(session);
    size_t count, asked;
    enum txtap_status status;

    if (session->reader_self == NULL)
        return TXTAP_OK;
    count = reader->plan(session->reader_self, &reads, begin);
    asked = add_pointer(session, &reads, count);
    status = session_exchange(session, reads, asked, error);
    if (status != TXTAP_OK)
        return status;
    session->stats.polls++;
    session->polled_us = session->now_us();
    status = reader->commit(session->reader_self, begin, session->polled_us, &write_time);
    if (status != TXTAP_OK)
        return reader->refused(session->reader_self, status, error);
    note_use(session, asked > count, head, begin);
    note_write_time(session, &write_time);
    count_written(session);
    names_see_head(session, write_time.exact);
    return TXTAP_OK;
}

enum txtap_status session_deliver(struct session *session, struct error *error)
{
    enum txtap_status status = TXTAP_OK, taken;
    size_t delivered;

    taken = take_batches(session, &status, &delivered, error);
    adapt_pace(session, delivered, session->polled_us);
    if (taken == TXTAP_OK && status == TXTAP_OK)
        status = session_watch_for_unseen(session, session->polled_us, error);
    if (taken != TXTAP_OK)
        error_clear(error);
    return taken != TXTAP_OK ? taken : status;
}

enum txtap_status session_step(struct session *session, struct error *error)
{
    enum txtap_status status = session_poll(session, error);

    return status == TXTAP_OK ? session_deliver(session, error) : status;
}

enum txtap_status session_finish(struct session *session, uint64_t until)
{
    struct error unused;
    size_t delivered;
    enum txtap_status status;

    if (session->reader_self != NULL && session->reader->finish != NULL)
        session->reader->finish(session->reader_self, until);
    status = take_batches(session, NULL, &delivered, &unused);
    return status == TXTAP_OK ? session_flush(session) : status;
}

enum txtap_status session_drain(struct session *session, uint64_t limit_us, struct error *error)
{
    uint64_t deadline = session->now_us() + limit_us;
    enum txtap_status status = session_step(session, error); /* learns how far the target is */
    uint64_t until = session_head(session);

    while (status == TXTAP_OK && (session_state(session).next < until || names_wait(session)) &&
           session->now_us() < deadline) {
        bool laps_behind = session_state(session).laps_behind;

        status = session_step(session, error);
        if (laps_behind) /* what the pointer said was laps behind */
            until = session_head(session);
    }
    if (status == TXTAP_OK)
        status = session_finish(session, until);
    return status == TXTAP_OK ? session_judge_unseen(session, error) : status;
}
