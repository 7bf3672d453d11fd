/* SPDX-License-Identifier: MIT */
/* The row of a file in the index of a store: its recording, its time, its firmware, its losses and its marks. */
#ifndef TXTAP_CAPTURE_STORE_STORE_FILE_H
#define TXTAP_CAPTURE_STORE_STORE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/failure.h"

#define STORE_BUILD_BYTES    44 /* a build ID of 20 bytes in hexadecimal, and NUL */
#define STORE_FIRMWARE_BYTES 64

struct store_file {
    char *name; /* of the file, without its folder; owned */

    /* as the file system knows the file */
    uint64_t bytes;
    int64_t modified_s; /* seconds since 1970 */
    int64_t modified_ns;

    uint64_t recording;          /* identifier of the recording; 0: recorded by a txtap that wrote none */
    uint32_t number;             /* of the file in its recording, from 0 */
    uint64_t since_us, until_us; /* host time of the file's begin and of its last block, in microseconds since 1970 */
    uint64_t events, lost;       /* lost: the sum of the gaps, estimates included */
    bool exact;                  /* lost is exact */
    bool ended;                  /* the file has an end; false: it is being written, or its writing was interrupted */
    uint32_t resets, triggers, checks, faults; /* marks; checks: violated checks */
    char build[STORE_BUILD_BYTES];       /* the firmware's build ID, or else the checksum of its symbols; "": unknown */
    char firmware[STORE_FIRMWARE_BYTES]; /* name of the firmware's file in printable ASCII, may be cut; "": unknown */
};

/* Reads a file. path: its place; file->name is the part after the last '/'. TXTAP_ERROR_FORMAT: it is no recording of
 * events, or it has no whole block. TXTAP_ERROR_SYSTEM: it cannot be read. After success the caller frees the file. */
enum txtap_status store_file_read(struct store_file *file, const char *path, struct error *error);

struct block_stream;

/* Takes the blocks of the stream's present file. *file: {.exact = true}; on success all members are set except the name
 * and the members of the file system. Statuses: see store_file_read(). */
enum txtap_status store_file_take(struct store_file *file, struct block_stream *stream, struct error *error);

static inline void store_file_free(struct store_file *file)
{
    free(file->name);
    file->name = NULL;
}

#endif
