/* SPDX-License-Identifier: MIT */
/* The head of a file repeats everything that a reader needs to begin with it. */
#include "record/recorder_files.h"

#include "txtap/inner/recording.h"

#define END_BYTES (TXTAP_RECORDING_BLOCK_BYTES + 20u) /* size of the last block of a file */

/* ---- the head of a file ---- */

enum txtap_status files_add(struct recording *recording, enum txtap_recording_type type, const uint8_t *payload,
                            size_t length, bool hold)
{
    const struct txtap_recording_block block = {
        .type = type, .stored = payload, .stored_bytes = length, .bytes = length};

    return block_file_add(&recording->file, &block, 0, hold, &recording->error);
}

/* Returns an upper bound for the size of the next file's head. The real head may be smaller, because it leaves out
 * objects that no event of the file can refer to. */
static size_t next_head_bytes(const struct recording *recording)
{
    size_t objects = object_blocks_bytes(&recording->objects, false);

    return TXTAP_RECORDING_HEAD_BYTES + recording->buffer_bytes + recording->part_bytes + recording->description.bytes +
           recording->channels_bytes + description_rate_bytes(&recording->description) +
           description_functions_bytes(&recording->description) + (objects > 0 ? objects : OBJECT_BLOCKS_HEAD_BYTES);
}

static enum txtap_status take_objects(void *self, const uint8_t *payload, size_t length)
{
    return files_add(self, TXTAP_RECORDING_OBJECTS, payload, length, true);
}

enum txtap_status files_add_objects(struct recording *recording, bool fresh)
{
    const struct object_blocks_choice choice = {
        .fresh = fresh, .as_written = fresh && recording->batch.count > 0, .since_seq = recording->batch.first_seq};

    return object_blocks_write(&recording->objects, &choice, recording->other, take_objects, recording);
}

/* Adds the channels that are known, so that readers know them before the first event. */
static enum txtap_status add_channels(struct recording *recording)
{
    const struct txtap_channels *channels = recording->setup.channels;
    enum txtap_status status = TXTAP_OK;

    sample_batch_new_file(&recording->samples);
    recording->channels_bytes = 0;
    for (size_t i = 0; channels != NULL && i < channels->count && status == TXTAP_OK; i++) {
        size_t length = txtap_recording_put_channel(recording->other, &channels->at[i]);

        recording->samples.written[channels->at[i].number] = true;
        recording->channels_bytes += TXTAP_RECORDING_BLOCK_BYTES + length;
        status = files_add(recording, TXTAP_RECORDING_CHANNEL, recording->other, length, true);
    }
    return status;
}

/* Adds the block that identifies this file. */
static enum txtap_status add_part(struct recording *recording)
{
    size_t length = txtap_recording_put_file(recording->other, &recording->part);

    recording->part.number++;
    recording->part_bytes = TXTAP_RECORDING_BLOCK_BYTES + length;
    return files_add(recording, TXTAP_RECORDING_FILE, recording->other, length, true);
}

/* Adds the buffer's header and all objects. They wait, and are written together with the next block. */
static enum txtap_status add_buffer(struct recording *recording, bool begins_file)
{
    const char *firmware = recording->setup.firmware ? recording->setup.firmware : "";
    size_t length =
        txtap_recording_put_buffer(recording->other, &recording->header, recording->setup.wall_us(), firmware);
    enum txtap_status status = files_add(recording, TXTAP_RECORDING_BUFFER, recording->other, length, true);

    recording->buffer_bytes = TXTAP_RECORDING_BLOCK_BYTES + length;
    if (status == TXTAP_OK && begins_file)
        status = add_part(recording);
    if (status == TXTAP_OK && recording->setup.config.definitions != NULL) {
        length = txtap_recording_put_definitions(recording->other, recording->setup.config.definitions);
        status = files_add(recording, TXTAP_RECORDING_DEFINITIONS, recording->other, length, true);
        recording->buffer_bytes += TXTAP_RECORDING_BLOCK_BYTES + length;
    }
    if (status == TXTAP_OK && begins_file)
        status = description_begin(&recording->description);
    if (status == TXTAP_OK && begins_file)
        status = add_channels(recording);
    return status == TXTAP_OK ? files_add_objects(recording, true) : status;
}

/* ---- files ---- */

enum txtap_status files_begin(struct recording *recording, bool overwrite)
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

bool files_is_full(const struct recording *recording, size_t length)
{
    uint64_t bytes = recording->file.bytes + recording->file.waiting + length + END_BYTES;

    return recording->has_news && rotation_is_full(&recording->rotation, bytes);
}

enum txtap_status files_end(struct recording *recording, enum txtap_recording_why why)
{
    enum txtap_status status = files_is_full(recording, DESCRIPTION_RATE_BYTES)
                                   ? TXTAP_OK
                                   : description_add_rate(&recording->description, true),
                      closed;
    size_t length;

    if (status == TXTAP_OK && !files_is_full(recording, description_stacks_bytes(&recording->description)))
        status = description_add_stacks(&recording->description);
    length = txtap_recording_put_end(recording->other, why, recording->file_events, recording->setup.wall_us());
    if (status == TXTAP_OK)
        status = files_add(recording, TXTAP_RECORDING_END, recording->other, length, false);
    closed =
        block_file_close(&recording->file, why == TXTAP_RECORDING_DONE, status == TXTAP_OK ? &recording->error : NULL);
    return status == TXTAP_OK ? closed : status;
}

enum txtap_status files_name_failure(struct recording *recording, enum txtap_status status)
{
    if (status == TXTAP_ERROR_USAGE)
        failure(&recording->error, status, "%.140s: it makes no valid file name\nchoose a shorter one with -o",
                recording->setup.config.path);
    return status;
}

enum txtap_status files_next(struct recording *recording)
{
    enum txtap_status status = files_end(recording, TXTAP_RECORDING_ROTATED);

    if (status == TXTAP_OK)
        status = files_name_failure(recording, rotation_next_part(&recording->rotation));
    return status == TXTAP_OK ? files_begin(recording, true) : status;
}

enum txtap_status files_make_room(struct recording *recording, size_t length)
{
    return files_is_full(recording, TXTAP_RECORDING_BLOCK_BYTES + length) ? files_next(recording) : TXTAP_OK;
}

uint64_t files_block_bytes_max(const struct recording *recording)
{
    uint64_t file_bytes = recording->rotation.file_bytes;
    size_t taken = TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_EVENTS_HEAD +
                   description_rate_bytes(&recording->description) + sample_batch_bytes(&recording->samples) +
                   END_BYTES;

    if (file_bytes == 0)
        return UINT64_MAX;
    taken += recording->has_news ? next_head_bytes(recording) : (size_t)recording->file.bytes + recording->file.waiting;
    return file_bytes < taken + TXTB_ENTRY_BYTES ? UINT64_MAX : file_bytes - taken;
}

enum txtap_status files_change_buffer(struct recording *recording)
{
    enum txtap_status status;

    if (files_is_full(recording, next_head_bytes(recording)))
        return files_next(recording);
    status = add_buffer(recording, false);
    return status == TXTAP_OK ? block_file_flush(&recording->file, &recording->error) : status;
}
