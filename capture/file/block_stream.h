/* SPDX-License-Identifier: MIT */
/* Takes heads and blocks of recordings from a stream, in bounded memory. The library knows their layout. */
#ifndef TXTAP_CAPTURE_FILE_BLOCK_STREAM_H
#define TXTAP_CAPTURE_FILE_BLOCK_STREAM_H

#include "base/failure.h"
#include "base/input.h"
#include "txtap/recording.h"

#define BLOCK_STREAM_BYTES (4u * (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX))

struct block_stream {
    struct input *input;
    struct txtap_recording recording;
    struct compressor *compressor;
    const char *why; /* the newest END: why no more can be read; NULL: the recording ended as it should */
    uint64_t offset; /* of the next byte among all that were read */
    uint64_t begun;  /* offset at which input->name began */
    uint64_t blocks; /* whole blocks of input->name */
    size_t at, used; /* of buffer */
    uint8_t buffer[BLOCK_STREAM_BYTES];
    uint8_t plain[TXTAP_RECORDING_PAYLOAD_MAX];
};

/* input: open, at its first byte; borrowed. TXTAP_ERROR_SYSTEM: no memory. On success close it. */
enum txtap_status block_stream_open(struct block_stream *stream, struct input *input, struct error *error);
void block_stream_close(struct block_stream *stream);

/*
 * The head of a recording. TXTAP_END: no byte follows. TXTAP_ERROR_TRUNCATED, _FORMAT: not a whole head, or of a later
 * version; error says why. TXTAP_ERROR_SYSTEM: the stream cannot be read.
 */
enum txtap_status block_stream_head(struct block_stream *stream, struct error *error);

/*
 * The next block, decompressed, whatever its type; valid until the next call. TXTAP_END: the recording has no more
 * whole blocks, see why. TXTAP_ERROR_SYSTEM: the stream cannot be read.
 */
enum txtap_status block_stream_next(struct block_stream *stream, struct txtap_recording_block *block,
                                    struct error *error);

/* input has gone on to another file: forgets what was not taken. */
void block_stream_restart(struct block_stream *stream);

#endif
