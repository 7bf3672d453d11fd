/* SPDX-License-Identifier: MIT */
/*
 * Reads a recording, block by block, in bounded memory: one file, a stream, or several files, which it brings into
 * their order. What is missing between two files is a gap.
 */
#ifndef TXTAP_CAPTURE_FILE_RECORDING_READER_H
#define TXTAP_CAPTURE_FILE_RECORDING_READER_H

#include "base/failure.h"
#include "base/input.h"
#include "file/reading_notes.h"
#include "txtap/recording.h"

/* ---- the files of a set ---- */

/*
 * The files of a recording that the user named: looks at what each begins with, and brings them into the order in which
 * they were written.
 */

/* {0}: no files. */
struct recording_set {
    const char **paths; /* in their order */
    struct txtap_recording_start *starts;
    size_t count;
    bool sorted; /* else the paths are as the user gave them, because one of them can be read only once */
    bool cut;    /* a file is left out that may have blocks */
};

/* ---- blocks ---- */

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

/* ---- the reader ---- */

struct recording_reader {
    struct block_stream stream;
    struct recording_set set; /* of several files */
    size_t file;              /* of the set, that is being read */
    uint32_t heads;           /* files that were begun, in all inputs */
    bool ctf;                 /* they have no events */
    const char *before;       /* name of the input of the file before */
    struct txtap_recording_joint joint;
    bool cut; /* something that the recording had is missing at its start, at its end, or in a file: see notes */
    struct reading_notes notes;

    bool waits; /* a gap was given; next comes: */
    struct txtap_recording_block next_block;
    struct txtap_recording_item next_item;
    uint8_t gap[64]; /* its payload */
};

/*
 * input: open, at its first byte; borrowed, with the files that follow it. TXTAP_ERROR_FORMAT: the head is damaged, or
 * of a later version. TXTAP_ERROR_USAGE: the files are not of one recording. On success close the reader.
 */
enum txtap_status recording_reader_open(struct recording_reader *reader, struct input *input, struct error *error);
void recording_reader_close(struct recording_reader *reader);

/*
 * The next item; its pointers are valid until the next call. TXTAP_END: no more items can be read. TXTAP_ERROR_SYSTEM:
 * a file cannot be read. TXTAP_ERROR_USAGE: a file of another recording follows, or an earlier file of this one.
 */
enum txtap_status recording_reader_next(struct recording_reader *reader, struct txtap_recording_item *item,
                                        struct error *error);

/* The same as a block, which is not compressed, whatever its type; blocks of type FILE are left out. */
enum txtap_status recording_reader_block(struct recording_reader *reader, struct txtap_recording_block *block,
                                         struct error *error);

#endif
