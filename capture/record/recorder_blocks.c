/* SPDX-License-Identifier: MIT */
/*
 * The lower half of a recording: writes its blocks to files, one after the other, and the names of objects in them.
 * Knows nothing of triggers.
 */
#include "record/recorder_parts.h"

#include "base/runtime.h"

#define END_BYTES       (TXTAP_RECORDING_BLOCK_BYTES + 20u) /* of the last block of a file */
#define ONE_EVENT_BYTES (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_EVENTS_HEAD + TXTB_ENTRY_BYTES)

/* ---- blocks ---- */

static enum txtap_status add(struct recording *recording, enum txtap_recording_type type, const uint8_t *payload,
                             size_t length, bool hold)
{
    const struct txtap_recording_block block = {
        .type = type, .stored = payload, .stored_bytes = length, .bytes = length};

    return block_file_add(&recording->file, &block, 0, hold, &recording->error);
}

/* At most what the next file begins with: objects that none of its events can mean will be left out. */
static size_t next_head_bytes(const struct recording *recording)
{
    size_t objects = object_blocks_bytes(&recording->objects, false);

    return TXTAP_RECORDING_HEAD_BYTES + recording->buffer_bytes + (objects > 0 ? objects : OBJECT_BLOCKS_HEAD_BYTES);
}

static enum txtap_status take_objects(void *self, const uint8_t *payload, size_t length)
{
    return add(self, TXTAP_RECORDING_OBJECTS, payload, length, true);
}

/* fresh: all objects that an event in the file's first block, or in a later one, can mean; else those that have changed
 * since they were written. A file that begins with events that waited has no newer names: there may be no room for
 * them. */
static enum txtap_status add_objects(struct recording *recording, bool fresh)
{
    const struct object_blocks_choice choice = {
        .fresh = fresh, .as_written = fresh && recording->batch.count > 0, .since_seq = recording->batch.first_seq};

    return object_blocks_write(&recording->objects, &choice, recording->other, take_objects, recording);
}

/* Says which file this is. */
static enum txtap_status add_part(struct recording *recording)
{
    size_t length = txtap_recording_put_file(recording->other, &recording->part);

    recording->part.number++;
    recording->buffer_bytes += TXTAP_RECORDING_BLOCK_BYTES + length;
    return add(recording, TXTAP_RECORDING_FILE, recording->other, length, true);
}

/* Adds the buffer's header and all objects; they are written with the next block. */
static enum txtap_status add_buffer(struct recording *recording, bool begins_file)
{
    const char *firmware = recording->setup.firmware ? recording->setup.firmware : "";
    size_t length =
        txtap_recording_put_buffer(recording->other, &recording->header, recording->setup.wall_us(), firmware);
    enum txtap_status status = add(recording, TXTAP_RECORDING_BUFFER, recording->other, length, true);

    recording->buffer_bytes = TXTAP_RECORDING_BLOCK_BYTES + length;
    if (status == TXTAP_OK && begins_file)
        status = add_part(recording);
    if (status == TXTAP_OK && recording->setup.config.definitions != NULL) {
        length = txtap_recording_put_definitions(recording->other, recording->setup.config.definitions);
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
        status = add_buffer(recording, true);
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
                recording->setup.config.path);
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
    status = add_buffer(recording, false);
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
    size_t length = event_words_take(&recording->batch.words, recording->other);
    const struct txtap_recording_block block =
        pack(recording, TXTAP_RECORDING_WORDS, recording->other, length, recording->packed_words);

    return block_file_add(&recording->file, &block, 0, true, &recording->error);
}

enum txtap_status recording_write_events(struct recording *recording)
{
    struct event_batch *batch = &recording->batch;
    size_t length, words = event_batch_words_bytes(event_words_bytes(&batch->words, NULL));
    struct txtap_recording_block block;
    enum txtap_status status;

    if (batch->count == 0)
        return TXTAP_OK;
    length = event_batch_payload(batch, wall_offset_us(recording->setup.wall_us, recording->setup.now_us));
    block = pack(recording, TXTAP_RECORDING_EVENTS, batch->payload, length, recording->packed);
    status = make_room(recording, words + block.stored_bytes);
    if (status == TXTAP_OK && words > 0)
        status = write_words(recording);
    if (status == TXTAP_OK)
        status = block_file_add(&recording->file, &block, batch->count, false, &recording->error);
    recording->has_news = true;
    recording->file_events += batch->count;
    recording->part.events += batch->count;
    recording->part.seq = batch->first_seq + batch->count;
    batch->count = 0;
    return status;
}

enum txtap_status recording_write_other(struct recording *recording, enum txtap_recording_type type, size_t length)
{
    enum txtap_status status = make_room(recording, length);

    recording->has_news = true;
    return status == TXTAP_OK ? add(recording, type, recording->batch.payload, length, false) : status;
}

/* The names of objects stand before the events that will be shown with them. */
enum txtap_status recording_write_new_objects(struct recording *recording)
{
    enum txtap_status status;

    if (!object_blocks_changed(&recording->objects))
        return TXTAP_OK;
    status = recording_write_events(recording);
    if (status == TXTAP_OK && is_full(recording, object_blocks_bytes(&recording->objects, true) + ONE_EVENT_BYTES))
        return next_file(recording); /* it begins with all objects */
    return status == TXTAP_OK ? add_objects(recording, false) : status;
}
