/* SPDX-License-Identifier: MIT */
/* Knows which objects were written, and as what. */
#include "record/object_blocks.h"
#include "txtap/inner/recording.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define OBJECTS_BYTES_LEAST (TXTAP_RECORDING_PAYLOAD_MAX - 128) /* at least these, in a full block */

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
 * Is the object written as it is now? *from: where to search. It only grows, for both arrays have the same order: an
 * address that is used again and again has a thousand objects, each of which is found at once.
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

    assert(registry->count <= blocks->written_capacity); /* object_blocks_set_registry() makes room */
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
    blocks->generation = blocks->registry->generation; /* it was read again, and nothing has changed */
    return false;
}

/* Can an event from then on mean the object? */
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
