/* SPDX-License-Identifier: MIT */
/* Reads a recording block by block, in bounded memory. The input is one file, a stream, or several files in any order.
 * Data that is missing between two files becomes a gap. The files of a board (input->board) may belong to several
 * recordings. Between two recordings there are two marks, and seq and ticks continue. Events that both recordings have
 * come once; if there are no such events, there is also a gap of any size. */
#ifndef TXTAP_CAPTURE_FILE_RECORDING_READER_H
#define TXTAP_CAPTURE_FILE_RECORDING_READER_H

#include "base/failure.h"
#include "file/block_stream.h"
#include "file/reading_notes.h"
#include "file/recording_set.h"
#include "txtap/inner/recording_series.h"
#include "txtap/recording.h"

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

    bool board;      /* input->board, and there are several files, or the input is live */
    uint64_t id;     /* of the present file's recording */
    bool changes;    /* the present file begins another recording, and its first block was not read yet */
    bool unnumbered; /* the files of the present recording have no events so far, so its numbers are unknown */
    struct txtap_recording_series *series; /* of a board; otherwise NULL */

    /* Blocks that are not in a file. They come before next_block. */
    struct {
        unsigned type;
        size_t length;
        uint8_t payload[64];
    } inserted[4];
    unsigned inserted_at, inserted_count;
    bool waits; /* next_block and next_item follow the inserted blocks */
    struct txtap_recording_block next_block;
    struct txtap_recording_item next_item;
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
