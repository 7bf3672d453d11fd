/* SPDX-License-Identifier: MIT */
/* Collects whole blocks from reads of any size, and decompresses them. */
#include "file/block_stream.h"

#include <string.h>

#include "base/compress.h"

enum txtap_status block_stream_open(struct block_stream *stream, struct input *input, struct error *error)
{
    memset(stream, 0, sizeof *stream);
    stream->input = input;
    stream->compressor = compressor_new(COMPRESS_LEVEL_DEFAULT);
    if (stream->compressor)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", input->name);
}

void block_stream_close(struct block_stream *stream)
{
    compressor_free(stream->compressor);
    stream->compressor = NULL;
}

void block_stream_restart(struct block_stream *stream)
{
    stream->offset += stream->used - stream->at;
    stream->at = stream->used = 0;
    stream->begun = stream->offset;
    stream->blocks = 0;
}

/* Ensures that `wanted` bytes are available at buffer + at. TXTAP_END: the stream has fewer bytes. */
static enum txtap_status fill(struct block_stream *stream, size_t wanted, struct error *error)
{
    if (stream->used - stream->at >= wanted)
        return TXTAP_OK;
    memmove(stream->buffer, stream->buffer + stream->at, stream->used - stream->at);
    stream->used -= stream->at;
    stream->at = 0;
    while (stream->used < wanted) {
        ssize_t got =
            input_read(stream->input, stream->buffer + stream->used, sizeof stream->buffer - stream->used, error);

        if (got < 0)
            return error->status;
        if (got == 0)
            return TXTAP_END;
        stream->used += (size_t)got;
    }
    return TXTAP_OK;
}

static void skip(struct block_stream *stream, size_t length)
{
    stream->at += length;
    stream->offset += length;
}

enum txtap_status block_stream_head(struct block_stream *stream, struct error *error)
{
    enum txtap_status status = fill(stream, TXTAP_RECORDING_HEAD_BYTES, error);
    const char *name = stream->input->name;

    if (status == TXTAP_END && stream->used == stream->at && stream->offset > stream->begun)
        return TXTAP_END;
    if (status == TXTAP_END)
        return failure(error, TXTAP_ERROR_TRUNCATED,
                       "%.160s: a recording that ends within its first %u bytes: nothing was recorded yet", name,
                       TXTAP_RECORDING_HEAD_BYTES);
    if (status != TXTAP_OK)
        return status;
    status = txtap_recording_open(&stream->recording, stream->buffer + stream->at);
    if (status == TXTAP_ERROR_USAGE)
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: a recording of a later version\nuse a newer txtap", name);
    if (status != TXTAP_OK)
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: a recording whose head is damaged: copy it again", name);
    skip(stream, TXTAP_RECORDING_HEAD_BYTES);
    return TXTAP_OK;
}

static enum txtap_status end_stream(struct block_stream *stream, const char *why)
{
    stream->why = why;
    stream->no_end = false;
    return TXTAP_END;
}

static enum txtap_status end_short(struct block_stream *stream)
{
    if (stream->used > stream->at)
        return end_stream(stream, "cut within a block");
    (void)end_stream(stream, "it has no end: it is still being written, or its writing was interrupted");
    stream->no_end = true;
    return TXTAP_END;
}

enum txtap_status block_stream_next(struct block_stream *stream, struct txtap_recording_block *block,
                                    struct error *error)
{
    enum txtap_status status;
    size_t needed;

    while ((status = txtap_recording_block(&stream->recording, stream->buffer + stream->at, stream->used - stream->at,
                                           block, &needed)) == TXTAP_AGAIN) {
        status = fill(stream, needed, error);
        if (status != TXTAP_OK)
            return status == TXTAP_END ? end_short(stream) : status;
    }
    if (status == TXTAP_END)
        return end_stream(stream, NULL);
    if (status != TXTAP_OK)
        return end_stream(stream, "damaged");
    skip(stream, needed);
    stream->blocks++;
    if (!block->compressed)
        return TXTAP_OK;
    if (!compressor_unpack(stream->compressor, stream->plain, block->bytes, block->stored, block->stored_bytes))
        return end_stream(stream, "the compressed bytes of a block are damaged");
    block->compressed = false;
    block->stored = stream->plain;
    block->stored_bytes = block->bytes;
    return TXTAP_OK;
}
