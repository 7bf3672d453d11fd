/* SPDX-License-Identifier: MIT */
/*
 * The lower half of a recording: writes its blocks to files, one after the other, and the names of objects in them.
 * Knows which objects were written; knows nothing of triggers.
 */
#include "record/recorder_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/wall_offset.h"

#define END_BYTES           (TXTAP_RECORDING_BLOCK_BYTES + 20u) /* of the last block of a file */
#define ONE_EVENT_BYTES     (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_EVENTS_HEAD + TXTB_ENTRY_BYTES)
#define OBJECTS_HEAD_BYTES  (TXTAP_RECORDING_BLOCK_BYTES + 4u)  /* of an empty block of objects */
#define OBJECTS_BYTES_LEAST (TXTAP_RECORDING_PAYLOAD_MAX - 128) /* at least these, in a full one */

/* ---- blocks ---- */

static enum txtap_status add(struct recording *recording, enum txtap_recording_type type, const uint8_t *payload,
                             size_t length, bool hold)
{
    const struct txtap_recording_block block = {
        .type = type, .stored = payload, .stored_bytes = length, .bytes = length};

    return block_file_add(&recording->file, &block, 0, hold, &recording->error);
}

static bool same_object(const struct txtap_object *a, const struct txtap_object *b)
{
    return a->pointer == b->pointer && a->parameter[0] == b->parameter[0] && a->parameter[1] == b->parameter[1] &&
           a->type == b->type && memcmp(a->reserved, b->reserved, sizeof a->reserved) == 0 && a->live == b->live &&
           a->deleted == b->deleted && a->from_seq == b->from_seq && a->until_seq == b->until_seq &&
           memcmp(a->name, b->name, sizeof a->name) == 0;
}

/* Is the object in the file as it is now? *from: where to search; it only grows, for both arrays are sorted. */
static bool was_written(const struct recording *recording, const struct txtap_object *object, size_t *from)
{
    while (*from < recording->written_count && recording->written[*from].pointer < object->pointer)
        ++*from;
    for (size_t i = *from; i < recording->written_count && recording->written[i].pointer == object->pointer; i++)
        if (!recording->written[i].unknown && same_object(&recording->written[i], object))
            return true;
    return false;
}

static void remember_objects(struct recording *recording)
{
    const struct txtap_registry *registry = recording->registry;

    assert(registry->count <= recording->written_capacity); /* recording_set_registry() makes room */
    memcpy(recording->written, registry->objects, registry->count * sizeof *registry->objects);
    recording->written_count = registry->count;
    recording->generation = registry->generation;
}

/* Bytes of the blocks with all objects, or with those that are not in the file as they are now; 0: there are none. */
static size_t objects_bytes(const struct recording *recording, bool only_new)
{
    const struct txtap_registry *registry = recording->registry;
    size_t bytes = 0, from = 0;

    for (size_t i = 0; i < registry->count; i++)
        if (!registry->objects[i].unknown && !(only_new && was_written(recording, &registry->objects[i], &from)))
            bytes += txtap_recording_object_bytes(&registry->objects[i]);
    return bytes > 0 ? bytes + (1 + bytes / OBJECTS_BYTES_LEAST) * OBJECTS_HEAD_BYTES : 0;
}

/* At most what the next file begins with: objects that none of its events can mean will be left out. */
static size_t next_head_bytes(const struct recording *recording)
{
    size_t objects = objects_bytes(recording, false);

    return TXTAP_RECORDING_HEAD_BYTES + recording->buffer_bytes + (objects > 0 ? objects : OBJECTS_HEAD_BYTES);
}

/* Can an event in the file's first block, or in a later one, mean the object? */
static bool is_of_use(const struct recording *recording, const struct txtap_object *object)
{
    return !object->unknown && (object->until_seq == 0 || object->until_seq > recording->first_seq);
}

/* fresh: all objects; else those that have changed since they were written. */
static enum txtap_status add_objects(struct recording *recording, bool fresh)
{
    /* A file that begins with events that waited has no newer names: there may be no room for them. */
    bool older = fresh && recording->count > 0;
    const struct txtap_object *objects = older ? recording->written : recording->registry->objects;
    size_t count = older ? recording->written_count : recording->registry->count;
    size_t length = txtap_recording_put_objects(recording->other, fresh), none = length, from = 0;
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; i < count && status == TXTAP_OK; i++) {
        const struct txtap_object *object = &objects[i];

        if (!is_of_use(recording, object) || (!fresh && was_written(recording, object, &from)))
            continue;
        if (txtap_recording_add_object(recording->other, &length, object))
            continue;
        status = add(recording, TXTAP_RECORDING_OBJECTS, recording->other, length, true);
        length = none = txtap_recording_put_objects(recording->other, false);
        (void)txtap_recording_add_object(recording->other, &length, object);
    }
    if (status == TXTAP_OK && (fresh || length > none))
        status = add(recording, TXTAP_RECORDING_OBJECTS, recording->other, length, true);
    if (!older)
        remember_objects(recording);
    return status;
}

/* Adds the buffer's header and all objects; they are written with the next block. */
static enum txtap_status add_buffer(struct recording *recording)
{
    const char *firmware = recording->setup.firmware ? recording->setup.firmware : "";
    size_t length =
        txtap_recording_put_buffer(recording->other, &recording->header, recording->setup.wall_us(), firmware);
    enum txtap_status status = add(recording, TXTAP_RECORDING_BUFFER, recording->other, length, true);

    recording->buffer_bytes = TXTAP_RECORDING_BLOCK_BYTES + length;
    if (status == TXTAP_OK && recording->setup.options->ring.definitions != NULL) {
        length = txtap_recording_put_definitions(recording->other, recording->setup.options->ring.definitions);
        status = add(recording, TXTAP_RECORDING_DEFINITIONS, recording->other, length, true);
        recording->buffer_bytes += TXTAP_RECORDING_BLOCK_BYTES + length;
    }
    return status == TXTAP_OK ? add_objects(recording, true) : status;
}

/* ---- files ---- */

/* What a file begins with is written at once: every file that exists can be read, however early the end comes. */
enum txtap_status recording_begin_file(struct recording *recording, bool overwrite)
{
    enum txtap_status status =
        block_file_open(&recording->file, recording->rotation.name, overwrite, &recording->error);

    recording->has_news = false;
    recording->file_events = 0;
    if (status == TXTAP_OK)
        status = add_buffer(recording);
    if (status == TXTAP_OK)
        status = block_file_flush(&recording->file, &recording->error);
    recording->head_bytes = (size_t)recording->file.bytes;
    return status;
}

enum txtap_status recording_end_file(struct recording *recording, enum txtap_recording_why why)
{
    size_t length = txtap_recording_put_end(recording->other, why, recording->file_events, recording->setup.wall_us());
    enum txtap_status status = add(recording, TXTAP_RECORDING_END, recording->other, length, false);
    enum txtap_status closed =
        block_file_close(&recording->file, why == TXTAP_RECORDING_DONE, status == TXTAP_OK ? &recording->error : NULL);

    return status == TXTAP_OK ? closed : status;
}

enum txtap_status recording_name_failure(struct recording *recording, enum txtap_status status)
{
    if (status == TXTAP_ERROR_USAGE)
        failure(&recording->error, status, "%.140s: no usable file name comes of it\nchoose a shorter one with -o",
                recording->setup.options->output);
    return status;
}

/* Are this many more bytes of blocks too much for this file? Each file has at least one block. */
static bool is_full(const struct recording *recording, size_t length)
{
    uint64_t bytes = recording->file.bytes + recording->file.waiting + length + END_BYTES;

    return recording->has_news && rotation_is_full(&recording->rotation, bytes);
}

static enum txtap_status next_file(struct recording *recording)
{
    enum txtap_status status = recording_end_file(recording, TXTAP_RECORDING_ROTATED);

    if (status == TXTAP_OK)
        status = recording_name_failure(recording, rotation_next_part(&recording->rotation));
    return status == TXTAP_OK ? recording_begin_file(recording, true) : status;
}

/* Makes room for a block with a payload of length bytes, or for whole blocks before it, too. */
static enum txtap_status make_room(struct recording *recording, size_t length)
{
    return is_full(recording, TXTAP_RECORDING_BLOCK_BYTES + length) ? next_file(recording) : TXTAP_OK;
}

size_t recording_words_bytes(size_t payload)
{
    return payload > 0 ? TXTAP_RECORDING_BLOCK_BYTES + payload : 0;
}

uint64_t recording_block_bytes_max(const struct recording *recording)
{
    uint64_t file_bytes = recording->rotation.file_bytes;
    size_t taken = TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_EVENTS_HEAD + END_BYTES;

    if (file_bytes == 0)
        return UINT64_MAX;
    taken += recording->has_news ? next_head_bytes(recording) : (size_t)recording->file.bytes + recording->file.waiting;
    return file_bytes < taken + TXTB_ENTRY_BYTES ? UINT64_MAX : file_bytes - taken;
}

enum txtap_status recording_change_buffer(struct recording *recording)
{
    enum txtap_status status;

    if (is_full(recording, next_head_bytes(recording)))
        return next_file(recording);
    status = add_buffer(recording);
    return status == TXTAP_OK ? block_file_flush(&recording->file, &recording->error) : status;
}

/* The payload as it will be written: compressed, if that is wanted and helps. */
static struct txtap_recording_block pack(struct recording *recording, enum txtap_recording_type type,
                                         const uint8_t *payload, size_t length,
                                         uint8_t packed[TXTAP_RECORDING_PAYLOAD_MAX])
{
    struct txtap_recording_block block = {.type = type, .stored = payload, .stored_bytes = length, .bytes = length};
    size_t less =
        recording->compressor ? compressor_pack(recording->compressor, packed, length - 1, payload, length) : 0;

    if (less > 0) {
        block.compressed = true;
        block.stored = packed;
        block.stored_bytes = less;
    }
    return block;
}

/* Words stand before their events, in the same file. */
static enum txtap_status write_words(struct recording *recording)
{
    size_t length = event_words_take(&recording->words, recording->other);
    const struct txtap_recording_block block =
        pack(recording, TXTAP_RECORDING_WORDS, recording->other, length, recording->packed_words);

    return block_file_add(&recording->file, &block, 0, true, &recording->error);
}

enum txtap_status recording_write_events(struct recording *recording)
{
    uint64_t wall_us = recording->first_us + wall_offset_us(recording->setup.wall_us, recording->setup.now_us);
    uint64_t span_us = recording->last_us - recording->first_us;
    size_t length, words = recording_words_bytes(event_words_bytes(&recording->words, NULL));
    struct txtap_recording_block block;
    enum txtap_status status;

    if (recording->count == 0)
        return TXTAP_OK;
    length = txtap_recording_put_events(recording->payload, recording->first_seq, recording->first_ticks, wall_us,
                                        span_us < UINT32_MAX ? (uint32_t)span_us : UINT32_MAX, recording->count);
    block = pack(recording, TXTAP_RECORDING_EVENTS, recording->payload, length, recording->packed);
    status = make_room(recording, words + block.stored_bytes);
    if (status == TXTAP_OK && words > 0)
        status = write_words(recording);
    if (status == TXTAP_OK)
        status = block_file_add(&recording->file, &block, recording->count, false, &recording->error);
    recording->has_news = true;
    recording->file_events += recording->count;
    recording->count = 0;
    return status;
}

enum txtap_status recording_write_other(struct recording *recording, enum txtap_recording_type type, size_t length)
{
    enum txtap_status status = make_room(recording, length);

    recording->has_news = true;
    return status == TXTAP_OK ? add(recording, type, recording->payload, length, false) : status;
}

/* The names of objects stand before the events that will be shown with them. */
enum txtap_status recording_write_new_objects(struct recording *recording)
{
    enum txtap_status status;
    size_t bytes;

    if (recording->registry->generation == recording->generation)
        return TXTAP_OK;
    bytes = objects_bytes(recording, true);
    if (bytes == 0) { /* the registry was read again, and nothing has changed */
        recording->generation = recording->registry->generation;
        return TXTAP_OK;
    }
    status = recording_write_events(recording);
    if (status == TXTAP_OK && is_full(recording, bytes + ONE_EVENT_BYTES))
        return next_file(recording); /* it begins with all objects */
    return status == TXTAP_OK ? add_objects(recording, false) : status;
}

bool recording_set_registry(struct recording *recording, const struct txtap_registry *registry)
{
    struct txtap_object *written = recording->written;

    if (registry->capacity > recording->written_capacity) {
        written = realloc(written, registry->capacity * sizeof *written);
        if (!written)
            return false;
        recording->written_capacity = registry->capacity;
    }
    recording->written = written;
    recording->written_count = 0;
    recording->registry = registry;
    return true;
}
