/* SPDX-License-Identifier: MIT */
/*
 * Reads a recording, block by block, in bounded memory: one file, a stream, or several files, which it brings into
 * their order. What is missing between two files is a gap.
 */
#ifndef TXTAP_CAPTURE_FILE_RECORDING_READER_H
#define TXTAP_CAPTURE_FILE_RECORDING_READER_H

#include "base/failure.h"
#include "base/input.h"
#include "file/block_stream.h"
#include "file/reading_notes.h"
#include "file/recording_set.h"
#include "txtap/recording.h"

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
