/* SPDX-License-Identifier: MIT */
/* Opens and closes a poller, and does the steps of reading: exchange, delivery, pace. poller_unseen.c finds out whether
 * events may be lost without a gap. event_stream.c handles resets. */
#include "stream/poller.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "probe/source_base.h"
#include "stream/poller_unseen.h"
#include "txtap/event.h"
#include "txtap/inner/host_time.h"

#define KNOWN_OBJECTS_MIN 1024 /* room for objects that the target no longer knows */
#define DRAIN_PAUSE_US    1000

#define INTERVAL_MIN_US  1000  /* lower limit, also for a ring that was just found */
#define INTERVAL_BUSY_US 20000 /* the longest pause while events flow */
#define INTERVAL_IDLE_US 40000
/* microseconds per event in a burst after a silence: the ring must not overflow before the next poll */
#define BURST_US 60

#define GUEST_PAUSE_US 200 /* the shortest pause before a poll that only guests want */

/* Notes the state of the reader. Call it after each call of the reader. */
static void note_state(struct poller *poller)
{
    poller->state = poller->reader_self != NULL ? poller->reader->state(poller->reader_self) : (struct reader_state){0};
}

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

/* Allocates the table of known objects. There may be more known objects than the registry has room for, because names
 * are learned from events, too. Some rings have no registry. */
static enum txtap_status allocate_known(struct poller *poller, struct error *error)
{
    size_t known = (size_t)txtap_header_registry_entries(&poller->header) + KNOWN_OBJECTS_MIN;

    poller->known = calloc(known, sizeof *poller->known);
    if (poller->known == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for the objects of the trace at 0x%08" PRIx32,
                       poller->address);
    txtap_registry_init(&poller->registry, poller->known, known);
    return TXTAP_OK;
}

void poller_free(struct poller *poller)
{
    name_copies_close(poller->names);
    batch_items_close(&poller->batch);
    free(poller->known);
    poller->names = NULL;
    poller->known = NULL;
    if (poller->reader_self != NULL)
        poller->reader->close(poller->reader_self);
    poller->reader_self = NULL; /* this ring is closed from here on */
    note_state(poller);
}

static enum txtap_status open_batch(struct poller *poller, struct error *error)
{
    if (batch_items_open(&poller->batch, &poller->header, poller->seq_offset, poller->state.batch_events))
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for the events of the trace at 0x%08" PRIx32,
                   poller->address);
}

static enum txtap_status exchange_names(void *self, const struct txtap_read *reads, size_t count, struct error *error)
{
    return poller_exchange(self, reads, count, error);
}

/* Gives an item to the sink. Sets the time of an event, and first gives the samples that were taken before it. */
static enum txtap_status deliver_item(void *self, struct txtap_item *item)
{
    struct guests *guests = ((struct poller *)self)->settings.guests;
    struct poller *poller = self;
    enum txtap_status status = TXTAP_OK;

    if (item->kind == TXTAP_ITEM_EVENT) {
        txtap_event_maker_time(&poller->maker, item);
        if (guests != NULL)
            status = sample_queue_event(&guests->queue, &poller->maker, item, poller->sink);
    }
    if (status == TXTAP_OK)
        status = txtap_sink_take(poller->sink, item);
    if (status >= TXTAP_OK) /* items that still wait when the sink returns END are not counted */
        stream_stats_count(&poller->stats, item);
    return status;
}

static enum txtap_status open_names(struct poller *poller, uint32_t search_start, struct error *error)
{
    const struct name_copies_setup setup = {
        .header = &poller->header,
        .search_start = search_start,
        .read_bytes_max = poller->source.ops->read_bytes_max,
        .first_seq = poller->seq_offset,
        .registry = &poller->registry,
        .wait_us = poller->settings.names_wait_us,
        .past_events = poller->settings.past_events,
        .exchange = exchange_names,
        .deliver = deliver_item,
        .now_us = poller->now_us,
        .self = poller,
    };

    return name_copies_open(&poller->names, &setup, error);
}

static enum txtap_status open_ring(struct poller *poller, const struct poller_place *place, enum txtap_ring_from from,
                                   struct error *error)
{
    const struct reader_setup setup = {
        .place = &place->reader,
        .address = poller->address,
        .header = &poller->header,
        .read_bytes_max = poller->source.ops->read_bytes_max,
        .from = from,
        .patience_us = poller->settings.patience_us,
        .registry = &poller->registry,
    };
    enum txtap_status status = allocate_known(poller, error);

    if (status == TXTAP_OK)
        status = poller->reader->open(&poller->reader_self, &setup, error);
    note_state(poller);
    if (status == TXTAP_OK)
        status = open_batch(poller, error);
    if (status == TXTAP_OK)
        status = open_names(poller, place->search_start, error);
    if (status != TXTAP_OK)
        poller_free(poller);
    return status;
}

/* Sets the members that belong to one ring. */
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
    poller->elsewhere = false;
    poller->interval_us = INTERVAL_MIN_US;
    poller->poll_now = true;
    poller->asked_us = 0;
    status = open_ring(poller, place, from, error);
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
    if (settings->stops)
        txtap_host_time_stops(&poller->maker.host_time);
    if (settings->unix_us != NULL)
        poller->maker.unix_offset_us = wall_offset_us(settings->unix_us, settings->now_us);
    return begin_ring(poller, place, settings->from, error);
}

const struct reader_state *poller_state(const struct poller *poller)
{
    return &poller->state;
}

uint64_t poller_next_seq(const struct poller *poller)
{
    return poller->seq_offset + poller->state.next_seq;
}

uint64_t poller_head(const struct poller *poller)
{
    return poller->state.head;
}

bool poller_is_read(const struct poller *poller)
{
    return poller->state.next >= poller->state.head;
}

void poller_mark_all_inexact(struct poller *poller)
{
    poller->batch.unknown_before = true;
}

void poller_mark_inexact(struct poller *poller)
{
    if (poller->reader_self != NULL && poller->reader->mark_inexact != NULL)
        poller->reader->mark_inexact(poller->reader_self);
    note_state(poller);
}

bool poller_is_settled(const struct poller *poller)
{
    return name_copies_state(poller->names, &poller->state).settled;
}

enum txtap_status poller_end_registry(struct poller *poller, struct error *error)
{
    return name_copies_read(poller->names, &poller->state, error);
}

const uint8_t *poller_objects(const struct poller *poller, uint32_t *length)
{
    return name_copies_bytes(poller->names, length);
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
    if (poller->settings.guests != NULL)
        guests_restart(poller->settings.guests, poller->now_us());
    txtap_event_maker_restart(&poller->maker, poller->header.timer_mask);
    return txtap_sink_take(poller->sink, &(struct txtap_item){.kind = TXTAP_ITEM_RESTART, .header = poller->header});
}

/* ---- pace ---- */

/*
 * Adapts the time between two polls. While events arrive, it polls when a quarter of the ring has filled, but at least
 * every INTERVAL_BUSY_US. Without events, it polls less and less often, as far as the ring's size allows. It polls at
 * once if many events wait, or if an event appeared in an idle ring.
 */
static void adapt_pace(struct poller *poller, size_t delivered, uint64_t now)
{
    const struct reader_state *state = &poller->state;
    uint64_t lap_us = state->capacity * BURST_US;
    uint64_t idle_us = lap_us < INTERVAL_IDLE_US ? lap_us : INTERVAL_IDLE_US;
    double seconds = (double)(now - poller->last_step_us + 1) / 1e6;
    double weight = seconds < 0.2 ? seconds / 0.2 : 1.0;

    poller->last_step_us = now;
    poller->event_rate += weight * ((double)delivered / seconds - poller->event_rate);
    poller->stats.unread = state->unread;
    if (state->unread > poller->stats.unread_max)
        poller->stats.unread_max = state->unread;
    poller->poll_now = state->unread > state->capacity / 8 || (state->idle && state->unread > 0) || state->poll_now ||
                       name_copies_state(poller->names, state).hurry;
    if (!state->idle || state->unread > 0) {
        double quarter_us = (double)state->capacity / 4.0 / (poller->event_rate + 1.0) * 1e6;

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
    uint64_t delay = poller->poll_now ? 0 : poller->interval_us;
    uint64_t due = poller->settings.guests != NULL ? guests_due_us(poller->settings.guests) : UINT64_MAX;
    uint64_t now = due != UINT64_MAX ? poller->now_us() : 0;

    if (due > now + delay)
        return delay;
    if (delay <= GUEST_PAUSE_US)
        return delay;
    return due > now + GUEST_PAUSE_US ? due - now : GUEST_PAUSE_US;
}

/* ---- steps ---- */

/* Adds a read of the pointer to the buffer. An idle exchange also reads the word that points to the firmware's current
 * buffer. Reason: when the firmware has moved to another buffer, the old buffer looks like a ring in which nothing
 * happens. */
static size_t add_pointer(struct poller *poller, const struct txtap_read **reads, size_t count)
{
    if (poller->pointer == 0 || count >= TXTAP_RING_READS_MAX || count >= poller->source.ops->reads_max ||
        !poller->state.idle)
        return count;
    memcpy(poller->reads, *reads, count * sizeof **reads);
    poller->reads[count] = (struct txtap_read){poller->pointer, sizeof poller->pointer_bytes, poller->pointer_bytes};
    *reads = poller->reads;
    return count + 1;
}

/* Notes that the firmware uses the buffer. before: the ring's head before this exchange. begin: when this exchange
 * began. If the head has moved, the firmware still used this buffer when the previous exchange began. */
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

/* Counts written entries. Leaves out entries that were in the ring at the first read, because they may be old. */
static void count_written(struct poller *poller)
{
    uint64_t head = poller->state.head;

    if (!poller->reader->unit_is_event)
        return;
    if (poller->head_counted > 0 && head > poller->head_counted)
        poller->stats.written += head - poller->head_counted;
    poller->head_counted = head;
}

/* Returns true if an exchange may take longer for the guests: few entries wait in the ring. */
static bool has_spare_time(const struct poller *poller)
{
    return !poller->at_rest && !poller->poll_now && poller->state.head_known &&
           poller->state.unread <= poller->state.capacity / 8;
}

/* Returns the time in which an eighth of the ring is written, at the present rate. */
static uint64_t spare_us(const struct poller *poller)
{
    return (uint64_t)((double)poller->state.capacity / 8 / (poller->event_rate + 1) * 1e6);
}

/* Does one exchange for the ring and, if there is time, for the guests. If memory cannot be read, does it again without
 * the guests' reads. */
static enum txtap_status exchange_with_guests(struct poller *poller, const struct txtap_read *reads, size_t count,
                                              uint64_t begin, struct error *error)
{
    struct guests *guests = poller->settings.guests;
    const struct txtap_read *all = reads;
    size_t all_count = count;
    enum txtap_status status;

    if (guests != NULL && has_spare_time(poller))
        all_count = guests_plan(guests, &all, count, poller->source.ops, begin);
    else if (guests != NULL)
        guests_postpone(guests, begin);
    status = poller_exchange(poller, all, all_count, error);
    if (all_count == count)
        return status;
    if (status == TXTAP_OK) {
        guests_commit(guests, begin, poller->now_us(), spare_us(poller));
        return TXTAP_OK;
    }
    if (status != ERROR_FAULT) /* the guests are not the reason */
        return status;
    error_clear(error);
    begin = poller->now_us();
    status = poller_exchange(poller, reads, count, error);
    if (status == TXTAP_OK)
        guests_failed(guests, begin, poller->now_us());
    return status;
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
    note_state(poller);
    asked = add_pointer(poller, &reads, count);
    status = exchange_with_guests(poller, reads, asked, begin, error);
    if (status != TXTAP_OK)
        return status;
    poller->stats.polls++;
    poller->polled_us = poller->now_us();
    status = reader->commit(poller->reader_self, begin, poller->polled_us, &write_time);
    note_state(poller);
    if (status != TXTAP_OK)
        return failure(error, status, "%s at 0x%08" PRIx32 ": %s", reader->name, poller->address,
                       status == TXTAP_ERROR_POINTER ? reader->bad_pointer : reader->restarted);
    note_use(poller, asked > count, head, begin);
    count_written(poller);
    poller->head_seq = poller_next_seq(poller) + (poller->state.head - poller->state.next);
    batch_items_note_write_time(&poller->batch, &write_time);
    name_copies_see(poller->names, &poller->state, write_time.exact);
    return TXTAP_OK;
}

/* Makes items of a batch, learns names from all of them, then delivers them. */
static enum txtap_status take_batch(struct poller *poller, const struct reader_batch *batch)
{
    const struct batch_context context = {&poller->state, poller->polled_us, poller_guards_by_stamp(poller)};
    struct batch_items *items = &poller->batch;
    uint64_t now = poller->now_us();
    enum txtap_status status = TXTAP_OK;

    batch_items_make(items, batch, &context);
    for (size_t i = 0; i < items->count; i++)
        name_copies_note(poller->names, &items->at[i], batch->ring.exact, now);
    if (poller->stats.excess < STREAM_EXCESS_MAX)
        poller->stats.excess += items->excess;
    if (poller->reader->unit_is_event)
        poller->stats.rate_by_stamps = batch_items_rate(items, poller->state.capacity);
    for (size_t i = 0; i < items->count && status == TXTAP_OK; i++)
        status = name_copies_take(poller->names, &items->at[i], now);
    return status;
}

/* Delivers all batches, and sets *delivered to the number of their events. Returns the sink's status. */
static enum txtap_status take_batches(struct poller *poller, size_t *delivered)
{
    struct reader_batch batch;
    enum txtap_status status = TXTAP_OK;

    *delivered = 0;
    while (status == TXTAP_OK && poller->reader_self != NULL && poller->reader->next(poller->reader_self, &batch)) {
        note_state(poller);
        *delivered += batch.ring.held_count + batch.ring.count;
        status = take_batch(poller, &batch);
    }
    note_state(poller);
    return status;
}

/* Gives the samples that no waiting event can precede. */
static enum txtap_status give_samples(struct poller *poller)
{
    struct guests *guests = poller->settings.guests;
    const struct reader_state *state = &poller->state;

    if (guests == NULL || guests->queue.count == 0 || state->next < state->head || state->held > 0 || state->behind ||
        !state->head_known || name_copies_state(poller->names, state).waiting)
        return TXTAP_OK;
    return sample_queue_until(&guests->queue, &poller->maker, poller->begin_us, poller_next_seq(poller), poller->sink);
}

/* Delivers entries that were read even if the names in them cannot be read. */
enum txtap_status poller_deliver(struct poller *poller, struct error *error)
{
    enum txtap_status status = TXTAP_OK, taken;
    size_t delivered;

    taken = take_batches(poller, &delivered);
    if (poller->reader_self != NULL)
        status = name_copies_follow(poller->names, &poller->state, error);
    if (taken == TXTAP_OK && poller->names != NULL)
        taken = name_copies_release(poller->names, false);
    if (taken == TXTAP_OK)
        taken = give_samples(poller);
    adapt_pace(poller, delivered, poller->polled_us);
    if (taken == TXTAP_OK && status == TXTAP_OK)
        status = poller_watch_unseen(poller, poller->polled_us, error);
    if (taken != TXTAP_OK)
        error_clear(error);
    return taken != TXTAP_OK ? taken : status;
}

enum txtap_status poller_step(struct poller *poller, struct error *error)
{
    enum txtap_status status = poller_fetch(poller, error);

    return status == TXTAP_OK ? poller_deliver(poller, error) : status;
}

enum txtap_status poller_flush(struct poller *poller)
{
    return poller->names != NULL ? name_copies_release(poller->names, true) : TXTAP_OK;
}

enum txtap_status poller_finish(struct poller *poller, uint64_t until)
{
    size_t delivered;
    enum txtap_status status;

    if (poller->reader_self != NULL && poller->reader->finish != NULL)
        poller->reader->finish(poller->reader_self, until);
    status = take_batches(poller, &delivered);
    if (status == TXTAP_OK)
        status = poller_flush(poller);
    if (status != TXTAP_OK || poller->settings.guests == NULL)
        return status;
    return sample_queue_until(&poller->settings.guests->queue, &poller->maker, UINT64_MAX, poller_next_seq(poller),
                              poller->sink);
}

/* Reports whether another step can learn names for the events before `seq`. */
static bool learns_names(const struct poller *poller, uint64_t seq)
{
    return name_copies_state(poller->names, &poller->state).first_seq < seq;
}

/* Pauses if an immediate step would give nothing new and only occupy the probe's server. next: state.next before the
 * last step. */
static void pause_if_idle(const struct poller *poller, uint64_t next)
{
    const struct reader_state *state = &poller->state;

    if (poller->settings.pause_us != NULL && state->next == next && state->unread == 0 && !state->poll_now)
        poller->settings.pause_us(DRAIN_PAUSE_US);
}

enum txtap_status poller_drain(struct poller *poller, uint64_t limit_us, struct error *error)
{
    uint64_t deadline = poller->now_us() + limit_us;
    enum txtap_status status = poller_step(poller, error); /* learns how far the target has written */
    uint64_t until = poller_head(poller), until_seq = poller->head_seq;

    while (status == TXTAP_OK && (poller->state.next < until || learns_names(poller, until_seq)) &&
           poller->now_us() < deadline) {
        uint64_t next = poller->state.next;
        bool laps_behind = poller->state.laps_behind;

        status = poller_step(poller, error);
        pause_if_idle(poller, next);
        if (laps_behind) { /* the end read above may have been laps old: take the newer end */
            until = poller_head(poller);
            until_seq = poller->head_seq;
        }
    }
    if (status == TXTAP_OK)
        status = poller_finish(poller, until);
    return status == TXTAP_OK ? poller_judge_unseen(poller, error) : status;
}
