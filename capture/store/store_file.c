/* SPDX-License-Identifier: MIT */
/* Reads all blocks of a file once, and counts. */
#include "store/store_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file/block_stream.h"

static void note_mark(struct store_file *file, const struct txtap_mark *mark)
{
    switch (mark->kind) {
    case TXTAP_MARK_RESET:
        file->resets++;
        break;
    case TXTAP_MARK_TRIGGER:
        file->triggers++;
        break;
    case TXTAP_MARK_CHECK:
        file->checks++;
        break;
    case TXTAP_MARK_FAULT:
        file->faults++;
        break;
    default:
        break;
    }
}

/* Takes an identifier in hexadecimal, unless it is too long. Returns false if the description does not have it. */
static bool note_build(struct store_file *file, const char *about, const char *key)
{
    size_t length = 0;
    const char *build = txtap_recording_about(about, key, &length);

    if (build == NULL || length >= sizeof file->build || strspn(build, "0123456789abcdef") < length)
        return false;
    memcpy(file->build, build, length);
    file->build[length] = '\0';
    return true;
}

static void note_about(struct store_file *file, const char *about)
{
    size_t length = 0;
    const char *firmware = txtap_recording_about(about, "firmware", &length);

    if (!note_build(file, about, "build-id"))
        (void)note_build(file, about, "symbols");
    if (firmware == NULL)
        return;
    length = length < sizeof file->firmware ? length : sizeof file->firmware - 1;
    for (size_t i = 0; i < length; i++)
        file->firmware[i] = (char)(firmware[i] >= ' ' && firmware[i] <= '~' ? firmware[i] : '?');
    file->firmware[length] = '\0';
}

static void note_time(struct store_file *file, uint64_t unix_us)
{
    if (file->since_us == 0)
        file->since_us = unix_us;
    if (unix_us > file->until_us)
        file->until_us = unix_us;
}

static void note(struct store_file *file, const struct txtap_recording_item *block)
{
    switch (block->type) {
    case TXTAP_RECORDING_BUFFER:
        note_time(file, block->unix_us);
        break;
    case TXTAP_RECORDING_FILE:
        file->recording = block->file.id;
        file->number = block->file.number;
        break;
    case TXTAP_RECORDING_ABOUT:
        note_about(file, block->about);
        break;
    case TXTAP_RECORDING_EVENTS:
        file->events += block->count;
        note_time(file, block->unix_us + block->span_us);
        break;
    case TXTAP_RECORDING_GAP:
        file->lost += block->gap.exact || block->gap.estimate < block->gap.lost ? block->gap.lost : block->gap.estimate;
        file->exact = file->exact && block->gap.exact;
        break;
    case TXTAP_RECORDING_MARK:
        note_mark(file, &block->mark);
        note_time(file, block->mark.unix_us);
        break;
    case TXTAP_RECORDING_END:
        file->ended = true;
        note_time(file, block->unix_us);
        break;
    default:
        break;
    }
}

enum txtap_status store_file_take(struct store_file *file, struct block_stream *stream, struct error *error)
{
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    enum txtap_status status = block_stream_head(stream, error);

    if (status == TXTAP_OK && stream->recording.ctf)
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: a recording of CTF", stream->input->name);
    while (status == TXTAP_OK && (status = block_stream_next(stream, &block, error)) == TXTAP_OK)
        if (txtap_recording_item(&block, block.stored, block.stored_bytes, &item) == TXTAP_OK)
            note(file, &item);
    if (status != TXTAP_END)
        return status == TXTAP_ERROR_TRUNCATED ? TXTAP_ERROR_FORMAT : status;
    if (file->since_us == 0)
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: it has no whole block", stream->input->name);
    return TXTAP_OK;
}

enum txtap_status store_file_read(struct store_file *file, const char *path, struct error *error)
{
    const char *slash = strrchr(path, '/');
    struct block_stream *stream = malloc(sizeof *stream);
    struct input input;
    struct stat about;
    enum txtap_status status;

    *file = (struct store_file){.exact = true};
    if (stream == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", path);
    status = input_open(&input, &path, 1, error);
    if (status == TXTAP_OK) {
        if (fstat(input.fd, &about) == 0) { /* before the blocks, so that a file that grows is read again */
            file->bytes = (uint64_t)about.st_size;
            file->modified_s = about.st_mtim.tv_sec;
            file->modified_ns = about.st_mtim.tv_nsec;
        }
        status = block_stream_open(stream, &input, error);
        if (status == TXTAP_OK) {
            status = store_file_take(file, stream, error);
            block_stream_close(stream);
        }
        input_close(&input);
    }
    free(stream);
    file->name = status == TXTAP_OK ? strdup(slash != NULL ? slash + 1 : path) : NULL;
    if (status == TXTAP_OK && file->name == NULL)
        status = failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", path);
    return status;
}
