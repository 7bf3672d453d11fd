/* SPDX-License-Identifier: MIT */
/* Reads a recording from a stream, block by block, in bounded memory, up to its last whole block. */
#ifndef TXTAP_CAPTURE_FILE_RECORDING_READER_H
#define TXTAP_CAPTURE_FILE_RECORDING_READER_H

#include "base/failure.h"
#include "base/input.h"
#include "txtap/recording.h"

#define RECORDING_READER_BYTES (4u * (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX))

struct recording_reader {
    struct input *input;
    struct txtap_recording recording;
    struct compressor *compressor;
    uint64_t offset; /* of buffer + at in the stream */
    uint64_t blocks; /* complete blocks so far */
    size_t at, used; /* of buffer */
    bool cut;        /* the end is missing: see missing */
    struct error missing;
    uint8_t buffer[RECORDING_READER_BYTES];
    uint8_t plain[TXTAP_RECORDING_PAYLOAD_MAX];
};

/*
 * input: open, at the first byte of a recording; borrowed. TXTAP_ERROR_FORMAT: its head is damaged, or of a later
 * version. On success close the reader.
 */
enum txtap_status recording_reader_open(struct recording_reader *reader, struct input *input, struct error *error);
void recording_reader_close(struct recording_reader *reader);

/*
 * The next item; its pointers are valid until the next call. Several files in one stream are read as one. TXTAP_END: no
 * more items can be read. TXTAP_ERROR_SYSTEM: the file cannot be read.
 */
enum txtap_status recording_reader_next(struct recording_reader *reader, struct txtap_recording_item *item,
                                        struct error *error);

/* The same as a block, which is not compressed any more, whatever its type; its payload is not checked. */
enum txtap_status recording_reader_block(struct recording_reader *reader, struct txtap_recording_block *block,
                                         struct error *error);

#endif
