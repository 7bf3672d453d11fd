/* SPDX-License-Identifier: MIT */
/*
 * The file that a recording is written to: whole blocks, appended. What a failed write left of a block is cut off
 * again, where the file can be cut. With a queue a thread does all of it, file after file, so that a disk or pipe that
 * stalls keeps nobody waiting while there is room; failures are then told by a later call.
 */
#ifndef TXTAP_CAPTURE_RECORD_BLOCK_FILE_H
#define TXTAP_CAPTURE_RECORD_BLOCK_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "base/job_queue.h"
#include "txtap/recording.h"

/* What is done with the file, and was done: the thread's while there is a queue. */
struct record_disk {
    int fd; /* -1: none is open */
    bool owned, regular;
    char name[PATH_MAX];
    uint64_t bytes;       /* of whole blocks in the file */
    uint64_t bytes_asked; /* of them, the system was asked to bring to the disk */
    uint64_t total_bytes; /* in all files so far */
    uint64_t events;      /* in them */
    uint32_t files;
};

/* Must stay where it is. */
struct record_file {
    struct record_disk disk;
    struct job_queue *queue; /* NULL: all is done at once */
    bool open;
    uint64_t bytes;  /* of whole blocks given to be written to this file */
    uint32_t blocks; /* in it, with those that wait */
    size_t waiting;  /* bytes in out */
    uint32_t waiting_events;
    uint8_t out[2 * (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX)];
};

/* No file, no queue. */
void record_file_init(struct record_file *file);

/*
 * Makes the file, or empties it if overwrite is true; "-" is standard output, a device or a pipe is written to as it
 * is. Its head is written with the first block. The file before is to be closed. ERROR_EXISTS,
 * TXTAP_ERROR_SYSTEM: error says file, cause, next step.
 */
enum txtap_status record_file_open(struct record_file *file, const char *path, bool overwrite, struct error *error);

/* From here on a thread does what is asked for; capacity as in job_queue_start(). */
enum txtap_status record_file_start_queue(struct record_file *file, size_t capacity, struct error *error);

/* Bytes for which nobody would have to wait; SIZE_MAX without a queue. A block takes JOB_HEAD_BYTES besides. */
size_t record_file_room(const struct record_file *file);

/* The first failure of the thread so far, as record_file_add(). */
enum txtap_status record_file_status(const struct record_file *file, struct error *error);

/*
 * Appends a block; events: that it has; hold: it may wait for the next one, so that both are written at once.
 * TXTAP_END: who read the pipe went away. TXTAP_ERROR_SYSTEM: error says why; the file has whole blocks only.
 */
enum txtap_status record_file_add(struct record_file *file, const struct txtap_recording_block *block, uint32_t events,
                                  bool hold, struct error *error);

/* Writes what waits. Statuses as record_file_add(). */
enum txtap_status record_file_flush(struct record_file *file, struct error *error);

/* Asks the system to begin bringing what was written to the disk, without waiting for it. */
void record_file_start_writeback(struct record_file *file);

/* settle: waits until it is on the disk, unless the end was asked for; with a queue record_file_finish() does. */
enum txtap_status record_file_close(struct record_file *file, bool settle, struct error *error);

/* Waits until all is done, and ends the queue; also without one, and after a failure. disk then has the sums. */
enum txtap_status record_file_finish(struct record_file *file, struct error *error);

#endif
