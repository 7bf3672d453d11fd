/* SPDX-License-Identifier: MIT */
/* Reads a recording block by block, in bounded memory. The input is one file, a stream, or several files in any order.
 * Data that is missing between two files becomes a gap. */
#ifndef TXTAP_CAPTURE_FILE_RECORDING_READER_H
#define TXTAP_CAPTURE_FILE_RECORDING_READER_H

#include "base/failure.h"
#include "input/input.h"
#include "file/reading_notes.h"
#include "txtap/recording.h"

/* ---- the files of a set ---- */

/* The files that the user named, if there are several. The reader reads the start of each file to sort the files in the
 * order in which they were written. */

/* {0}: no files. */
struct recording_set {
    const char **paths; /* sorted by time if `sorted` is true */
    struct txtap_recording_start *starts;
    size_t count;
    bool sorted; /* false: the paths are in the user's order, because a pipe among them can be read only once */
    bool cut;    /* a file was dropped that should have had blocks */
};

/* ---- blocks ---- */

#define BLOCK_STREAM_BYTES (4u * (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX))

struct block_stream {
    struct input *input;
    struct txtap_recording recording;
    struct compressor *compressor;
    const char *why; /* after END: why no more blocks can be read; NULL: the recording is complete */
    uint64_t offset; /* number of bytes before the next byte, in all files so far */
    uint64_t begun;  /* offset at the start of input->name */
    uint64_t blocks; /* number of complete blocks of input->name */
    size_t at, used; /* indexes in `buffer`: next byte to take (at), end of the bytes (used) */
    uint8_t buffer[BLOCK_STREAM_BYTES];
    uint8_t plain[TXTAP_RECORDING_PAYLOAD_MAX];
};

/* ---- the reader ---- */

struct recording_reader {
    struct block_stream stream;
    struct recording_set set; /* for several files; otherwise empty */
    size_t file;              /* index of the current file in the set */
    uint32_t heads;           /* number of files that were begun, in all inputs */
    bool ctf;                 /* the files contain CTF instead of events */
    const char *before;       /* name of the previous file's input */
    struct txtap_recording_joint joint;
    bool cut; /* a part of the recording is missing: `notes` has the details */
    struct reading_notes notes;

    bool waits; /* the last block was a gap; next_block and next_item follow it */
    struct txtap_recording_block next_block;
    struct txtap_recording_item next_item;
    uint8_t gap[64]; /* the gap's payload */
};

/*
 * Opens a reader. `input` must be open at its first byte; `input` and its further files are borrowed.
 * TXTAP_ERROR_FORMAT: the head is damaged, or its version is too new. TXTAP_ERROR_USAGE: the files do not belong to one
 * recording. On success the caller closes the reader.
 */
enum txtap_status recording_reader_open(struct recording_reader *reader, struct input *input, struct error *error);
void recording_reader_close(struct recording_reader *reader);

/*
 * Gets the next item; its pointers are valid until the next call. TXTAP_END: no more items can be read.
 * TXTAP_ERROR_SYSTEM: a file cannot be read. TXTAP_ERROR_USAGE: the next file belongs to another recording, or is an
 * earlier file of this recording.
 */
enum txtap_status recording_reader_next(struct recording_reader *reader, struct txtap_recording_item *item,
                                        struct error *error);

/* Gets the next block of any type, decompressed. Drops blocks of type FILE. */
enum txtap_status recording_reader_block(struct recording_reader *reader, struct txtap_recording_block *block,
                                         struct error *error);

#endif
