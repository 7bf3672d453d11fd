/* SPDX-License-Identifier: MIT */
/* The life of a poller, and one step of reading: exchange, delivery, pace. Resets are event_stream.c's business. */
#include "stream/poller.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "probe/source_base.h"
#include "stream/poller_parts.h"

#define KNOWN_OBJECTS_MIN 1024 /* room for objects that the target has forgotten */
#define DRAIN_PAUSE_US    1000

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
        status = copies_begin(poller, error);
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
    poller->search_start = place->search_start;
    poller->elsewhere = poller->unknown_before = false;
    poller->interval_us = PACE_INTERVAL_MIN_US;
    poller->poll_now = true;
    poller->estimator = (struct gap_estimator){0};
    poller->span = (struct poller_span){0};
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
    if (settings->stops)
        txtap_host_time_stops(&poller->maker.host_time);
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
    batches_note_write_time(poller, &write_time);
    batches_count_written(poller);
    copies_see_head(poller, write_time.exact);
    return TXTAP_OK;
}

enum txtap_status poller_deliver(struct poller *poller, struct error *error)
{
    enum txtap_status status = TXTAP_OK, taken;
    size_t delivered;

    taken = batches_take(poller, &status, &delivered, error);
    pace_adapt(poller, delivered, poller->polled_us);
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
    status = batches_take(poller, NULL, &delivered, &unused);
    return status == TXTAP_OK ? poller_flush(poller) : status;
}

/* Is it worth another step to learn names in the events before that one? */
static bool learns_names(const struct poller *poller, uint64_t seq)
{
    return names_wait_before(poller, seq) || (poller->reader_self != NULL && poller->names.wanted_seq < seq);
}

/* Reading on at once would tell nothing, and occupy the probe's server. next: as it was before the last step. */
static void pause_if_idle(const struct poller *poller, uint64_t next)
{
    const struct reader_state state = poller_state(poller);

    if (poller->settings.pause_us != NULL && state.next == next && state.unread == 0 && !state.poll_now)
        poller->settings.pause_us(DRAIN_PAUSE_US);
}

enum txtap_status poller_drain(struct poller *poller, uint64_t limit_us, struct error *error)
{
    uint64_t deadline = poller->now_us() + limit_us;
    enum txtap_status status = poller_step(poller, error); /* learns how far the target has written */
    uint64_t until = poller_head(poller), until_seq = poller->names.head_seq;

    while (status == TXTAP_OK && (poller_state(poller).next < until || learns_names(poller, until_seq)) &&
           poller->now_us() < deadline) {
        const struct reader_state before = poller_state(poller);

        status = poller_step(poller, error);
        pause_if_idle(poller, before.next);
        if (before.laps_behind) { /* the pointer that was read was laps behind */
            until = poller_head(poller);
            until_seq = poller->names.head_seq;
        }
    }
    if (status == TXTAP_OK)
        status = poller_finish(poller, until);
    return status == TXTAP_OK ? poller_judge_unseen(poller, error) : status;
}
