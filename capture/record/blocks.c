/* SPDX-License-Identifier: MIT */
/* Collects events, objects and CTF bytes for blocks. */
#include "record/blocks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/recording.h"

/* ---- the words of the events ---- */

static size_t more_of(const struct txtap_event *event)
{
    return event->word_count > 4 ? event->word_count - 4 : 0;
}

size_t event_words_bytes(const struct event_words *words, const struct txtap_event *event)
{
    size_t count = words->count, more = words->more_count;

    if (event != NULL && event->words != NULL) {
        count++;
        more += more_of(event);
    }
    return count > 0 ? TXTAP_RECORDING_WORDS_HEAD + count + 4 * more : 0;
}

/* Adds an event, which must fit into the payload. */
static void event_words_add(struct event_words *words, const struct txtap_event *event)
{
    size_t more = more_of(event);

    if (event->words == NULL)
        return;
    words->counts[words->count++] = (uint8_t)event->word_count;
    if (more > 0)
        memcpy(words->more + words->more_count, event->words + 4, more * sizeof *event->words);
    words->more_count += more;
}

size_t event_words_take(struct event_words *words, uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX])
{
    size_t length = txtap_recording_put_words(payload, words->counts, words->count, words->more, words->more_count);

    words->count = 0;
    words->more_count = 0;
    return length;
}

/* ---- the events ---- */

size_t event_batch_words_bytes(size_t payload)
{
    return payload > 0 ? TXTAP_RECORDING_BLOCK_BYTES + payload : 0;
}

static bool fits_payload(const struct event_batch *batch, const struct txtap_event *event, uint64_t bytes_max)
{
    size_t words = event_words_bytes(&batch->words, event);
    uint64_t bytes = (uint64_t)(batch->count + 1) * TXTB_ENTRY_BYTES + event_batch_words_bytes(words);

    return batch->count < TXTAP_RECORDING_EVENTS_MAX && words <= TXTAP_RECORDING_PAYLOAD_MAX && bytes <= bytes_max;
}

bool event_batch_fits(const struct event_batch *batch, const struct txtap_event *event, uint64_t now_us,
                      const struct event_batch_limits *limits)
{
    return event->seq == batch->first_seq + batch->count && fits_payload(batch, event, limits->bytes) &&
           now_us - batch->first_us < limits->age_us && event->ticks - batch->last_ticks < limits->period;
}

void event_batch_add(struct event_batch *batch, const struct txtap_event *event, uint64_t now_us)
{
    if (batch->count == 0) {
        batch->first_seq = event->seq;
        batch->first_ticks = event->ticks;
        batch->first_us = now_us;
    }
    batch->last_us = now_us;
    batch->last_ticks = event->ticks;
    memcpy(batch->payload + TXTAP_RECORDING_EVENTS_HEAD + (size_t)batch->count * TXTB_ENTRY_BYTES, event->entry,
           TXTB_ENTRY_BYTES);
    batch->count++;
    batch->has_words = batch->has_words || event->words != NULL;
    event_words_add(&batch->words, event);
}

size_t event_batch_payload(struct event_batch *batch, uint64_t wall_offset_us)
{
    uint64_t span_us = batch->last_us - batch->first_us;

    return txtap_recording_put_events(batch->payload, batch->first_seq, batch->first_ticks,
                                      batch->first_us + wall_offset_us,
                                      span_us < UINT32_MAX ? (uint32_t)span_us : UINT32_MAX, batch->count);
}

/* ---- objects ---- */

#define OBJECTS_BYTES_LEAST (TXTAP_RECORDING_PAYLOAD_MAX - 128) /* bytes of objects in a full block, at least */

bool object_blocks_set_registry(struct object_blocks *blocks, const struct txtap_registry *registry)
{
    struct txtap_object *written = blocks->written;

    if (registry->capacity > blocks->written_capacity) {
        written = realloc(written, registry->capacity * sizeof *written);
        if (!written)
            return false;
        blocks->written_capacity = registry->capacity;
    }
    blocks->written = written;
    blocks->written_count = 0;
    blocks->registry = registry;
    return true;
}

void object_blocks_free(struct object_blocks *blocks)
{
    free(blocks->written);
    blocks->written = NULL;
}

static bool same_object(const struct txtap_object *a, const struct txtap_object *b)
{
    return a->pointer == b->pointer && a->parameter[0] == b->parameter[0] && a->parameter[1] == b->parameter[1] &&
           a->type == b->type && memcmp(a->reserved, b->reserved, sizeof a->reserved) == 0 && a->live == b->live &&
           a->deleted == b->deleted && a->from_seq == b->from_seq && a->until_seq == b->until_seq &&
           memcmp(a->name, b->name, sizeof a->name) == 0;
}

/*
 * Returns true if the object's present contents were already written. *from: index at which the search starts; 0 for
 * the first object. The index only increases, because `written` and the registry have the same order. This keeps the
 * search short even if a thousand objects had the same address.
 */
static bool was_written(const struct object_blocks *blocks, const struct txtap_object *object, size_t *from)
{
    while (*from < blocks->written_count && blocks->written[*from].pointer < object->pointer)
        ++*from;
    for (size_t i = *from; i < blocks->written_count && blocks->written[i].pointer == object->pointer; i++)
        if (!blocks->written[i].unknown && same_object(&blocks->written[i], object)) {
            *from = i + 1;
            return true;
        }
    return false;
}

static void remember(struct object_blocks *blocks)
{
    const struct txtap_registry *registry = blocks->registry;

    assert(registry->count <= blocks->written_capacity); /* object_blocks_set_registry() has allocated enough */
    memcpy(blocks->written, registry->objects, registry->count * sizeof *registry->objects);
    blocks->written_count = registry->count;
    blocks->generation = registry->generation;
}

size_t object_blocks_bytes(const struct object_blocks *blocks, bool only_new)
{
    const struct txtap_registry *registry = blocks->registry;
    size_t bytes = 0, from = 0;

    for (size_t i = 0; i < registry->count; i++)
        if (!registry->objects[i].unknown && !(only_new && was_written(blocks, &registry->objects[i], &from)))
            bytes += txtap_recording_object_bytes(&registry->objects[i]);
    return bytes > 0 ? bytes + (1 + bytes / OBJECTS_BYTES_LEAST) * OBJECT_BLOCKS_HEAD_BYTES : 0;
}

bool object_blocks_changed(struct object_blocks *blocks)
{
    if (blocks->registry->generation == blocks->generation)
        return false;
    if (object_blocks_bytes(blocks, true) > 0)
        return true;
    blocks->generation = blocks->registry->generation; /* the registry was read again, but no object needs a write */
    return false;
}

/* Returns true if an event from since_seq on can refer to the object. */
static bool is_of_use(const struct txtap_object *object, uint64_t since_seq)
{
    return !object->unknown && (object->until_seq == 0 || object->until_seq > since_seq);
}

enum txtap_status object_blocks_write(struct object_blocks *blocks, const struct object_blocks_choice *choice,
                                      uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX], object_blocks_take *take,
                                      void *self)
{
    const struct txtap_object *objects = choice->as_written ? blocks->written : blocks->registry->objects;
    size_t count = choice->as_written ? blocks->written_count : blocks->registry->count;
    size_t length = txtap_recording_put_objects(payload, choice->fresh), none = length, from = 0;
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; i < count && status == TXTAP_OK; i++) {
        const struct txtap_object *object = &objects[i];

        if (!is_of_use(object, choice->since_seq) || (!choice->fresh && was_written(blocks, object, &from)))
            continue;
        if (txtap_recording_add_object(payload, &length, object))
            continue;
        status = take(self, payload, length);
        length = none = txtap_recording_put_objects(payload, false);
        (void)txtap_recording_add_object(payload, &length, object);
    }
    if (status == TXTAP_OK && (choice->fresh || length > none))
        status = take(self, payload, length);
    if (!choice->as_written)
        remember(blocks);
    return status;
}

/* ---- bytes of CTF ---- */

void ctf_blocks_open(struct ctf_blocks *blocks, const struct txtap_ctf_layout *layout, struct ctf_blocks_sink sink)
{
    *blocks = (struct ctf_blocks){.sink = sink, .layout = layout};
    txtap_registry_init(&blocks->names, NULL, 0);
    txtap_zephyr_ctf_init(&blocks->clock, layout, &blocks->names, (struct txtap_sink){NULL, NULL});
}

uint64_t ctf_blocks_seq(const struct ctf_blocks *blocks)
{
    return txtap_zephyr_ctf_seq(&blocks->clock);
}

void ctf_blocks_restart(struct ctf_blocks *blocks)
{
    (void)txtap_zephyr_ctf_take(&blocks->clock, &(struct txtap_item){.kind = TXTAP_ITEM_RESTART});
    blocks->counter = (struct txtap_ctf_counter){.records = 0};
    blocks->another = true;
    blocks->within = false;
    blocks->used = 0;
}

/* Returns the number of bytes that can be put now: the bytes of whole records. If a record fills the whole payload, or
 * if the counter has stopped, returns all bytes. */
static size_t ready(const struct ctf_blocks *blocks)
{
    uint64_t rest = blocks->counter.partial;

    if (blocks->counter.stopped || rest == 0)
        return blocks->used;
    if (rest < blocks->used)
        return blocks->used - (size_t)rest;
    return blocks->used == TXTAP_RECORDING_CTF_MAX ? blocks->used : 0;
}

static enum txtap_status put(struct ctf_blocks *blocks)
{
    uint8_t *stream = blocks->payload + TXTAP_RECORDING_CTF_HEAD;
    size_t length = ready(blocks);
    uint64_t seq = ctf_blocks_seq(blocks);
    uint64_t ticks = blocks->within || length < blocks->layout->header_bytes
                         ? blocks->clock.ticks
                         : txtap_zephyr_ctf_ticks(&blocks->clock, stream);
    struct ctf_block block = {.payload = blocks->payload, .bytes = TXTAP_RECORDING_CTF_HEAD + length, .seq = seq};
    enum txtap_status status;

    if (length == 0)
        return TXTAP_OK;
    (void)txtap_recording_put_ctf(blocks->payload, blocks->another, seq, ticks);
    (void)txtap_zephyr_ctf_take(
        &blocks->clock, &(struct txtap_item){.kind = TXTAP_ITEM_BYTES, .bytes = {.at = stream, .length = length}});
    block.records = ctf_blocks_seq(blocks) - seq;
    status = blocks->sink.put(blocks->sink.self, &block);
    blocks->another = false;
    blocks->within = blocks->counter.partial > 0 && length == blocks->used;
    blocks->used -= length;
    memmove(stream, stream + length, blocks->used);
    return status;
}

enum txtap_status ctf_blocks_take(struct ctf_blocks *blocks, const uint8_t *bytes, size_t length)
{
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && length > 0 && !blocks->counter.stopped) {
        size_t room = TXTAP_RECORDING_CTF_MAX - blocks->used, part = room < length ? room : length;

        memcpy(blocks->payload + TXTAP_RECORDING_CTF_HEAD + blocks->used, bytes, part);
        txtap_ctf_count(blocks->layout, &blocks->counter, bytes, part);
        blocks->used += part;
        bytes += part;
        length -= part;
        status = put(blocks);
    }
    return status;
}
