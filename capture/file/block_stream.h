/* SPDX-License-Identifier: MIT */
/* Reads the blocks of the files of an input, one after the other, in bounded memory. */
#ifndef TXTAP_CAPTURE_FILE_BLOCK_STREAM_H
#define TXTAP_CAPTURE_FILE_BLOCK_STREAM_H

#include "base/failure.h"
#include "input/input.h"
#include "txtap/recording.h"

#define BLOCK_STREAM_BYTES (4u * (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX))

struct block_stream {
    struct input *input;
    struct txtap_recording recording;
    struct compressor *compressor;
    const char *why; /* after END: why no more blocks can be read; NULL: the recording is complete */
    bool no_end;     /* after END: all blocks are whole, but the last block does not end the file */
    uint64_t offset; /* number of bytes before the next byte, in all files so far */
    uint64_t begun;  /* offset at the start of input->name */
    uint64_t blocks; /* number of complete blocks of input->name */
    size_t at, used; /* indexes in `buffer`: next byte to take (at), end of the bytes (used) */
    uint8_t buffer[BLOCK_STREAM_BYTES];
    uint8_t plain[TXTAP_RECORDING_PAYLOAD_MAX];
};

/* Opens a stream. `input` is borrowed, and must be open at its first byte. TXTAP_ERROR_SYSTEM: no memory. On success
 * the caller closes the stream. */
enum txtap_status block_stream_open(struct block_stream *stream, struct input *input, struct error *error);
void block_stream_close(struct block_stream *stream);

/* Drops the bytes that are still in the buffer. Call it after `input` has moved on to another file. */
void block_stream_restart(struct block_stream *stream);

/* Reads the head of a recording. TXTAP_END: the stream has no more bytes. TXTAP_ERROR_TRUNCATED: the head is not
 * complete. TXTAP_ERROR_FORMAT: the bytes are not a head, or the version is too new. TXTAP_ERROR_SYSTEM: the stream
 * cannot be read. On failure error has the cause. */
enum txtap_status block_stream_head(struct block_stream *stream, struct error *error);

/* Reads and decompresses the next block of any type. The block is valid until the next call. TXTAP_END: the recording
 * has no more complete blocks; stream->why has the reason. TXTAP_ERROR_SYSTEM: the stream cannot be read. */
enum txtap_status block_stream_next(struct block_stream *stream, struct txtap_recording_block *block,
                                    struct error *error);

#endif
