/* SPDX-License-Identifier: MIT */
/*
 * The file that a recording is written to: whole blocks, appended. What a failed write left of a block is cut off
 * again, where the file can be cut.
 */
#ifndef TXTAP_CAPTURE_RECORD_FILE_H
#define TXTAP_CAPTURE_RECORD_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "txtap/recording.h"

struct record_file {
    int fd; /* -1: none is open */
    bool owned, regular;
    char name[PATH_MAX];
    uint64_t bytes;       /* of whole blocks in the file */
    uint64_t bytes_asked; /* of them, the system was asked to bring to the disk */
    uint64_t total_bytes; /* in all files so far */
    uint32_t blocks;      /* in this one */
    uint32_t files;
    size_t waiting; /* bytes in out */
    uint8_t out[2 * (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX)];
};

/*
 * Makes the file, or empties it if overwrite is true; "-" is standard output, a device or a pipe is written to as it
 * is. Its head is written with the first block. TXTAP_ERROR_EXISTS, TXTAP_ERROR_SYSTEM: error says file, cause, next
 * step.
 */
enum txtap_status record_file_open(struct record_file *file, const char *path, bool overwrite,
                                   char error[static ERROR_TEXT_BYTES]);

/*
 * Appends a block; hold: it may wait for the next one, so that both are written at once. TXTAP_END: who read the pipe
 * went away. TXTAP_ERROR_SYSTEM: error says why; the file has whole blocks only.
 */
enum txtap_status record_file_add(struct record_file *file, const struct txtap_recording_block *block, bool hold,
                                  char error[static ERROR_TEXT_BYTES]);

/* Writes what waits. Statuses as record_file_add(). */
enum txtap_status record_file_flush(struct record_file *file, char error[static ERROR_TEXT_BYTES]);

/* Asks the system to begin bringing what was written to the disk, without waiting for it. */
void record_file_ask(struct record_file *file);

/* settle: waits until it is on the disk. */
enum txtap_status record_file_close(struct record_file *file, bool settle, char error[static ERROR_TEXT_BYTES]);

#endif
