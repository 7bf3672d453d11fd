/* SPDX-License-Identifier: MIT */
/* Makes one consistent copy of the trace buffer while the target runs. The entries come from the ring reader, so each
 * entry is complete. Parts that change during the copy are read again. The events in the copy have no gap. */
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "probe/source_base.h"
#include "ring/txtb.h"
#include "stream/file_names.h"
#include "stream/poller_unseen.h"
#include "txtap/inner/header.h"
#include "txtap/inner/registry.h"

#define LIMIT_US        10000000 /* time limit, for a target that writes faster than the probe can copy */
#define READ_MAX        32       /* limit of the bytes read, as a multiple of the buffer's size */
#define SETTLE_NAMES_US 500000
#define SETTLE_US       3000 /* pause between two reads of the oldest entry in a resting ring */

struct copy {
    struct ring_copy *result; /* result->bytes contains the header, the registry and the ring, as in target memory */
    uint32_t ring_offset;
    uint64_t first, next; /* the copy has the entries numbered first..next-1, at most the ring's size */
    bool any;
    uint8_t *best; /* the longest run of events before a gap, stored from the first slot on */
    uint64_t best_count, best_next;
};

/* Finds the slot of an event. Its seq differs from its position by a multiple of the ring's size, so seq modulo this
 * size is the slot. */
static uint8_t *slot_of(const struct copy *copy, uint64_t seq)
{
    return copy->result->bytes + copy->ring_offset + (uint32_t)(seq % copy->result->capacity) * TXTB_ENTRY_BYTES;
}

static void keep_event(struct copy *copy, const struct txtap_event *event)
{
    if (!copy->any)
        copy->first = event->seq;
    copy->any = true;
    memcpy(slot_of(copy, event->seq), event->entry, TXTB_ENTRY_BYTES);
    copy->next = event->seq + 1;
    if (copy->next - copy->first > copy->result->capacity)
        copy->first = copy->next - copy->result->capacity;
}

static uint64_t count_of(const struct copy *copy)
{
    return copy->next - copy->first;
}

static void copy_run(const struct copy *copy, uint8_t *to)
{
    for (uint64_t i = 0; i < count_of(copy); i++)
        memcpy(to + i * TXTB_ENTRY_BYTES, slot_of(copy, copy->first + i), TXTB_ENTRY_BYTES);
}

/* Ends a run of events at a gap, because the copy must not contain entries from both sides of the gap. Keeps the
 * longest run; if several runs are equally long, the last. */
static void end_run(struct copy *copy)
{
    if (copy->any && count_of(copy) >= copy->best_count) {
        copy->best_count = count_of(copy);
        copy->best_next = copy->next;
        copy_run(copy, copy->best);
    }
    copy->any = false;
    copy->first = copy->next = 0;
}

static enum txtap_status take_item(void *self, const struct txtap_item *item)
{
    if (item->kind == TXTAP_ITEM_EVENT)
        keep_event(self, &item->event);
    else if (item->kind == TXTAP_ITEM_GAP)
        end_run(self);
    return TXTAP_OK;
}

static bool is_full(const struct copy *copy)
{
    return copy->any && copy->next - copy->first == copy->result->capacity;
}

/* Reports whether the ring's oldest entry is the only missing entry. The reader does not deliver it, because it may be
 * half overwritten. */
static bool lacks_oldest(const struct poller *poller, const struct copy *copy)
{
    return copy->any && copy->next - copy->first == copy->result->capacity - 1 &&
           copy->first + txtb_ring_of(poller).seq_base == txtb_ring_of(poller).start;
}

/* Takes the oldest entry. While nobody writes the ring, this entry is in the slot that the writer would use next. The
 * entry is whole if neither the entry nor the pointer changes. */
static enum txtap_status take_oldest(struct poller *poller, struct copy *copy, struct error *error)
{
    uint64_t head = txtb_ring_of(poller).head;
    uint32_t slot = (uint32_t)(head % copy->result->capacity);
    uint32_t address = poller->header.ring_start + slot * TXTB_ENTRY_BYTES;
    uint8_t once[TXTB_ENTRY_BYTES], again[TXTB_ENTRY_BYTES];
    enum txtap_status status = poller_read(poller, address, sizeof once, once, error);

    sleep_us(SETTLE_US);
    if (status == TXTAP_OK)
        status = poller_read(poller, address, sizeof again, again, error);
    if (status == TXTAP_OK)
        status = poller_step(poller, error);
    if (status != TXTAP_OK || txtb_ring_of(poller).head != head || memcmp(once, again, sizeof once) != 0)
        return status; /* something changed: the ring reader will deliver a newer entry */
    if (memory_word(again + TXTB_ENTRY_THREAD, poller->header.endian) != TXTB_THREAD_NONE) {
        memcpy(slot_of(copy, head - txtb_ring_of(poller).seq_base), again, sizeof again);
        copy->first--;
    }
    return TXTAP_OK;
}

/* Checks whether the next slot was never written. If so, the copy has all events that were ever written. */
static enum txtap_status check_never_filled(struct poller *poller, bool *never_filled, struct error *error)
{
    uint32_t slot = (uint32_t)(txtb_ring_of(poller).head % txtb_ring_of(poller).entries);
    uint8_t word[4] = {0};
    enum txtap_status status = poller_read(poller, poller->header.ring_start + slot * TXTB_ENTRY_BYTES, sizeof word,
                                           word, error); /* the entry's thread */

    *never_filled = memory_word(word, poller->header.endian) == TXTB_THREAD_NONE;
    return status;
}

/* Memory at rest is in a file or a copy, so reading it takes no time: it is read even if the user has asked to end. */
static bool must_stop(const struct poller *poller)
{
    return !poller->at_rest && stop_requested();
}

/* Reads until the copy has a full ring, or all events of a ring that never filled. */
static enum txtap_status copy_ring(struct poller *poller, struct copy *copy, struct error *error)
{
    uint64_t deadline = now_us() + LIMIT_US;
    uint64_t at_attach = txtb_ring_of(poller).head_at_attach;
    enum txtap_status status = TXTAP_OK;
    bool caught_up = false;

    while (status == TXTAP_OK && !is_full(copy) && !copy->result->complete && !must_stop(poller) &&
           now_us() < deadline && poller->stats.bytes_read < (uint64_t)READ_MAX * copy->result->length) {
        status = poller_step(poller, error);
        caught_up = txtb_ring_of(poller).next >= at_attach && txtb_ring_of(poller).next == txtb_ring_of(poller).head;
        if (status == TXTAP_OK && caught_up && poller->stats.gaps == 0) {
            /* false: the first entries were overwritten before they were read; the target will write more entries */
            bool complete = true;

            if (lacks_oldest(poller, copy))
                status = take_oldest(poller, copy, error);
            else if (status == TXTAP_OK && copy->next - copy->first + 1 < copy->result->capacity)
                status = check_never_filled(poller, &complete, error);
            copy->result->complete = complete && txtb_ring_of(poller).next == txtb_ring_of(poller).head;
        }
        if (status == TXTAP_OK && !copy->result->complete)
            sleep_us(poller_delay_us(poller));
    }
    copy->result->complete = copy->result->complete || is_full(copy);
    return status;
}

/* Finishes the file's ring. If the copy is complete, the file's ring equals the target's ring. Otherwise the target was
 * too fast, and the longest run of events becomes a smaller ring. */
static void finish_file(const struct poller *poller, struct copy *copy)
{
    const struct txtap_ring_state ring = txtb_ring_of(poller);
    struct txtap_header header = poller->header;
    uint64_t count = count_of(copy), position = copy->any ? copy->next : ring.next - ring.seq_base;

    if (copy->result->complete) {
        header.current = header.ring_start + (uint32_t)(position % copy->result->capacity) * TXTB_ENTRY_BYTES;
        if (ring.laps_state == TXTAP_LAPS_COUNTED)
            header.laps = (uint16_t)(position / copy->result->capacity);
        txtap_header_build(&header, copy->result->bytes);
        return;
    }
    if (count >= copy->best_count) {
        copy_run(copy, copy->best);
    } else {
        count = copy->best_count;
        copy->next = copy->best_next;
        copy->first = copy->next - count;
        copy->any = true;
    }
    memcpy(copy->result->bytes + copy->ring_offset, copy->best, (size_t)count * TXTB_ENTRY_BYTES);
    copy->result->length = copy->ring_offset + (uint32_t)count * TXTB_ENTRY_BYTES;
    header.ring_end = header.ring_start + (uint32_t)count * TXTB_ENTRY_BYTES;
    header.current = header.ring_start;
    header.laps = 0;
    txtap_header_build(&header, copy->result->bytes);
}

/* Continues to read until later events confirm the names in the file's events. */
static enum txtap_status settle_names(struct poller *poller, struct error *error)
{
    const struct stream_stats stats = poller->stats;
    uint64_t deadline = now_us() + SETTLE_NAMES_US;
    enum txtap_status status = TXTAP_OK;

    poller->sink.take = NULL;
    while (status == TXTAP_OK && !poller_is_settled(poller) && now_us() < deadline) {
        sleep_us(poller_delay_us(poller));
        status = poller_step(poller, error);
    }
    poller->stats.events = stats.events;
    poller->stats.lost = stats.lost;
    poller->stats.gaps = stats.gaps;
    poller->stats.lost_estimate = stats.lost_estimate;
    poller->stats.lost_exact = stats.lost_exact;
    return status;
}

/* Reports whether another object certainly or probably took over the address after the file's last event. */
static bool has_moved_on(const struct poller *poller, uint32_t pointer, uint64_t last)
{
    const struct txtap_object *newest = txtap_registry_find(&poller->registry, pointer);

    return poller->registry.whole_seq > last + 1 ||
           (newest != NULL && (newest->from_seq > last || newest->changed_seq > last));
}

/* Returns the entry of event number i in the finished file. */
static const uint8_t *entry_of(const struct copy *copy, uint64_t i)
{
    if (copy->result->complete)
        return slot_of(copy, copy->first + i);
    return copy->result->bytes + copy->ring_offset + (size_t)i * TXTB_ENTRY_BYTES;
}

static void note_names(const struct poller *poller, const struct copy *copy, struct file_names *names)
{
    for (uint64_t i = 0; copy->any && i < count_of(copy); i++) {
        struct txtap_event event;

        txtap_event_parse(entry_of(copy, i), &poller->header, &event);
        event.seq = copy->first + i;
        file_names_note(names, &event);
    }
}

/* Reports whether the registry slot contains a wrong name. TraceX shows the same name for an address in all events. */
static bool has_other_name(const struct file_names *names, const struct txtap_object *slot)
{
    const struct file_name *name = file_names_find(names, slot->pointer);

    if (name == NULL)
        return false;
    return name->several || (name->object != NULL && (name->object->type != slot->type ||
                                                      memcmp(name->object->name, slot->name, sizeof slot->name) != 0));
}

/* Writes the registry as it was at the file's last event. The registry was read later, so two kinds of slots are left
 * empty: slots that were given to another object after that event, and slots whose name is not right for all events. */
static void put_slots(const struct poller *poller, const struct copy *copy, const struct file_names *names,
                      uint8_t *registry)
{
    const struct txtap_header *header = &poller->header;
    uint32_t step = txtap_header_object_bytes(header);
    uint64_t last = copy->any ? copy->next - 1 : 0;
    uint32_t length;
    const uint8_t *objects = poller_objects(poller, &length);

    memcpy(registry, objects, length);
    for (uint32_t at = 0; at + step <= length; at += step) {
        struct txtap_object slot;
        const struct txtap_object *object;

        if (!txtap_registry_slot(header, registry + at, &slot))
            continue;
        if (has_other_name(names, &slot)) {
            memset(registry + at, 0, step);
            continue;
        }
        if (!has_moved_on(poller, slot.pointer, last))
            continue;
        object = txtap_registry_find_at(&poller->registry, slot.pointer, slot.type, last);
        if (object == NULL || memcmp(object->name, slot.name, sizeof slot.name) != 0)
            memset(registry + at, 0, step);
        else if (slot.live == txtap_registry_deleted_at(object, last))
            registry[at + TXTB_OBJECT_AVAILABLE] = slot.live;
    }
}

static enum txtap_status put_registry(const struct poller *poller, struct copy *copy, struct error *error)
{
    struct file_names names;

    if (!file_names_init(&names, &poller->registry))
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for the names of objects");
    note_names(poller, copy, &names);
    put_slots(poller, copy, &names, copy->result->bytes + (poller->header.registry_start - poller->header.base));
    copy->result->several = names.several;
    file_names_free(&names);
    return TXTAP_OK;
}

/* Keeps the header as it was found, and reads everything else. */
static enum txtap_status take(struct poller *poller, struct copy *copy, struct error *error)
{
    enum txtap_status status;

    poller->stats.bytes_read += TXTB_HEADER_BYTES;
    status = copy_ring(poller, copy, error);
    if (status == TXTAP_OK)
        status = poller_judge_unseen(poller, error);
    if (status == ERROR_INTERRUPTED || (status == TXTAP_OK && must_stop(poller)))
        status = failure(error, ERROR_INTERRUPTED, "interrupted: nothing was written");
    if (status == TXTAP_OK && !copy->result->complete && !copy->any && copy->best_count == 0)
        status = failure(
            error, ERROR_UNSETTLED,
            "the target overwrites its ring faster than one event of it can be read: nothing was written; filter "
            "events on the target (tx_trace_event_filter) or use a faster probe");
    if (status != TXTAP_OK)
        return status;
    finish_file(poller, copy);
    if (copy->any)
        status = settle_names(poller, error);
    if (status == TXTAP_OK)
        status = put_registry(poller, copy, error);
    return status;
}

static enum txtap_status take_poller(const struct poller_place *place, struct copy *copy, struct error *error)
{
    static struct poller poller;
    const struct poller_settings settings = {.from = place->at_rest ? TXTAP_RING_AT_REST : TXTAP_RING_FROM_OLDEST,
                                             .now_us = now_us};
    enum txtap_status status = poller_init(&poller, place, &settings, (struct txtap_sink){take_item, copy}, error);

    if (status != TXTAP_OK)
        return status;
    status = take(&poller, copy, error);
    copy->result->stats = poller.stats;
    poller_free(&poller);
    return status;
}

enum txtap_status txtb_copy(const struct poller_place *place, struct ring_copy *result, struct error *error)
{
    const struct txtap_header *header = &place->header;
    struct copy copy = {.result = result, .ring_offset = header->ring_start - header->base};
    enum txtap_status status;

    result->length = txtap_header_total_bytes(header);
    result->capacity = txtap_header_ring_entries(header);
    result->bytes = calloc(1, result->length);
    copy.best = calloc(result->capacity, TXTB_ENTRY_BYTES);
    if (result->bytes && copy.best)
        status = take_poller(place, &copy, error);
    else
        status = failure(error, TXTAP_ERROR_SYSTEM, "out of memory for %zu bytes", result->length);
    free(copy.best);
    result->events = count_of(&copy);
    return status;
}
