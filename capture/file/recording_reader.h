/* SPDX-License-Identifier: MIT */
/* Reads a recording from a stream, block by block, in bounded memory, up to its last whole block. */
#ifndef TXTAP_CAPTURE_FILE_RECORDING_READER_H
#define TXTAP_CAPTURE_FILE_RECORDING_READER_H

#include "base/compress.h"
#include "base/failure.h"
#include "base/input.h"
#include "txtap/recording.h"

#define RECORDING_READER_BYTES (4u * (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX))

struct recording_reader {
    struct input *input;
    struct txtap_recording recording;
    struct compressor *compressor;
    uint64_t offset; /* of buffer + at in the stream */
    uint64_t blocks; /* whole ones so far */
    size_t at, used; /* of buffer */
    bool cut;        /* something is missing at the end: missing says what, in one line */
    struct error missing;
    uint8_t buffer[RECORDING_READER_BYTES];
    uint8_t plain[TXTAP_RECORDING_PAYLOAD_MAX];
};

/*
 * input: open, at its first byte, which is a recording's; borrowed. TXTAP_ERROR_FORMAT: its head is damaged, or of a
 * later version. On success the reader is to be closed.
 */
enum txtap_status recording_reader_open(struct recording_reader *reader, struct input *input, struct error *error);
void recording_reader_close(struct recording_reader *reader);

/*
 * What comes next; item's pointers are valid until the next call. Files that follow each other in one stream are read
 * as one. TXTAP_END: there is nothing more that can be read. TXTAP_ERROR_SYSTEM: the file cannot be read.
 */
enum txtap_status recording_reader_next(struct recording_reader *reader, struct txtap_recording_item *item,
                                        struct error *error);

#endif
