/* SPDX-License-Identifier: MIT */
/* Takes the blocks of a recording from a stream. The library knows their layout. */
#include "file/recording_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/compress.h"

/* Makes sure that wanted bytes are at buffer + at. TXTAP_END: the stream has fewer. */
static enum txtap_status fill(struct recording_reader *reader, size_t wanted, struct error *error)
{
    if (reader->used - reader->at >= wanted)
        return TXTAP_OK;
    memmove(reader->buffer, reader->buffer + reader->at, reader->used - reader->at);
    reader->used -= reader->at;
    reader->at = 0;
    while (reader->used < wanted) {
        ssize_t got = input_read(reader->input, reader->buffer + reader->used, sizeof reader->buffer - reader->used);

        if (got < 0)
            return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", reader->input->name, strerror(errno));
        if (got == 0)
            return TXTAP_END;
        reader->used += (size_t)got;
    }
    return TXTAP_OK;
}

static void take(struct recording_reader *reader, size_t length)
{
    reader->at += length;
    reader->offset += length;
}

/* Reads the head of a file. */
static enum txtap_status begin(struct recording_reader *reader, struct error *error)
{
    enum txtap_status status = fill(reader, TXTAP_RECORDING_HEAD_BYTES, error);

    if (status == TXTAP_END)
        return failure(error, TXTAP_ERROR_TRUNCATED,
                       "%.160s: a recording that ends within its first %u bytes: nothing was recorded yet",
                       reader->input->name, TXTAP_RECORDING_HEAD_BYTES);
    if (status != TXTAP_OK)
        return status;
    status = txtap_recording_open(&reader->recording, reader->buffer + reader->at);
    if (status == TXTAP_ERROR_USAGE)
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: a recording of a later version\nuse a newer txtap",
                       reader->input->name);
    if (status != TXTAP_OK)
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: a recording whose head is damaged: copy it again",
                       reader->input->name);
    take(reader, TXTAP_RECORDING_HEAD_BYTES);
    return TXTAP_OK;
}

enum txtap_status recording_reader_open(struct recording_reader *reader, struct input *input, struct error *error)
{
    enum txtap_status status;

    memset(reader, 0, sizeof *reader);
    reader->input = input;
    reader->compressor = compressor_new(COMPRESS_LEVEL_DEFAULT);
    if (!reader->compressor)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", input->name);
    status = begin(reader, error);
    if (status != TXTAP_OK)
        recording_reader_close(reader);
    return status;
}

void recording_reader_close(struct recording_reader *reader)
{
    compressor_free(reader->compressor);
    reader->compressor = NULL;
}

/* ---- where it stops ---- */

static enum txtap_status stop(struct recording_reader *reader, const char *what)
{
    reader->cut = true;
    return failure(&reader->missing, TXTAP_END, "%.120s: %s: read up to byte %" PRIu64 ", %" PRIu64 " whole blocks",
                   reader->input->name, what, reader->offset, reader->blocks);
}

static enum txtap_status stop_short(struct recording_reader *reader)
{
    if (reader->used > reader->at)
        return stop(reader, "cut within a block");
    return stop(reader, "it has no end: it is still being written, or its writing was interrupted");
}

/* Behind the end block of a file: the end of the stream, or the next file. */
static enum txtap_status next_file(struct recording_reader *reader, struct error *error)
{
    enum txtap_status status = fill(reader, TXTAP_RECORDING_HEAD_BYTES, error);

    if (status < TXTAP_OK || reader->used == reader->at)
        return status;
    if (status == TXTAP_OK && txtap_recording_open(&reader->recording, reader->buffer + reader->at) == TXTAP_OK) {
        take(reader, TXTAP_RECORDING_HEAD_BYTES);
        return TXTAP_OK;
    }
    return stop(reader, "the bytes behind its end are not a recording");
}

/* ---- blocks ---- */

static enum txtap_status next_block(struct recording_reader *reader, struct txtap_recording_block *block,
                                    struct error *error)
{
    enum txtap_status status;
    size_t needed;

    for (;;) {
        status = txtap_recording_block(&reader->recording, reader->buffer + reader->at, reader->used - reader->at,
                                       block, &needed);
        if (status == TXTAP_AGAIN)
            status = fill(reader, needed, error);
        else if (status == TXTAP_END)
            status = next_file(reader, error);
        else
            break;
        if (status != TXTAP_OK)
            return status == TXTAP_END && !reader->cut && !reader->recording.ended ? stop_short(reader) : status;
    }
    if (status != TXTAP_OK)
        return stop(reader, "damaged");
    take(reader, needed);
    reader->blocks++;
    return TXTAP_OK;
}

enum txtap_status recording_reader_block(struct recording_reader *reader, struct txtap_recording_block *block,
                                         struct error *error)
{
    enum txtap_status status = next_block(reader, block, error);

    if (status != TXTAP_OK || !block->compressed)
        return status;
    if (!compressor_unpack(reader->compressor, reader->plain, block->bytes, block->stored, block->stored_bytes))
        return stop(reader, "the compressed bytes of a block are damaged");
    block->compressed = false;
    block->stored = reader->plain;
    block->stored_bytes = block->bytes;
    return TXTAP_OK;
}

enum txtap_status recording_reader_next(struct recording_reader *reader, struct txtap_recording_item *item,
                                        struct error *error)
{
    struct txtap_recording_block block;
    enum txtap_status status;

    if (reader->recording.ctf)
        return failure(error, TXTAP_ERROR_FORMAT,
                       "%.160s: a recording of CTF, which has no entries of a ring\nuse 'txtap view'",
                       reader->input->name);
    do {
        status = recording_reader_block(reader, &block, error);
        if (status != TXTAP_OK)
            return status;
        status = txtap_recording_item(&block, block.stored, block.stored_bytes, item);
    } while (status == TXTAP_AGAIN);
    return status == TXTAP_OK ? TXTAP_OK : stop(reader, "a block is malformed");
}
