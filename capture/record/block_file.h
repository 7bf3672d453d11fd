/* SPDX-License-Identifier: MIT */
/*
 * The file that a recording is written to: whole blocks, appended. What a failed write left of a block is cut off, if
 * the file can be cut. With a queue a thread does the writing, file after file, so that a disk or pipe that stalls
 * delays nobody while there is room; a later call then reports the failure.
 */
#ifndef TXTAP_CAPTURE_RECORD_BLOCK_FILE_H
#define TXTAP_CAPTURE_RECORD_BLOCK_FILE_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/failure.h"
#include "base/job_queue.h"
#include "txtap/recording.h"
#include "txtap/status.h"

/* The open file, and what was written so far: the thread's while there is a queue. */
struct block_disk {
    int fd; /* -1: none is open */
    bool owned;
    atomic_bool regular;
    char name[PATH_MAX];
    uint64_t bytes;       /* of whole blocks in the file */
    uint64_t bytes_sent;  /* of them, those that the system was asked to bring to the disk */
    uint64_t total_bytes; /* in all files so far */
    uint64_t events;      /* in them */
    uint32_t files;
};

/* Must not be moved. */
struct block_file {
    struct block_disk disk;
    struct job_queue *queue; /* NULL: everything is written at once */
    bool open;
    uint64_t bytes;  /* of whole blocks that were given to the disk, in this file */
    uint32_t blocks; /* in this file, with those that wait */
    size_t waiting;  /* bytes in out */
    uint32_t waiting_events;
    uint8_t out[2 * (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX)];
};

/* Has no file and no queue yet. */
void block_file_init(struct block_file *file);

/*
 * Makes the file; overwrite: empties one that exists. "-" is standard output; a device or a pipe is written to as it
 * is. The file's head is written with its first block. The file before must be closed. ERROR_EXISTS,
 * TXTAP_ERROR_SYSTEM: error says file, cause and next step.
 */
enum txtap_status block_file_open(struct block_file *file, const char *path, bool overwrite, struct error *error);

/* From now on a thread does the writing; capacity as in job_queue_start(). */
enum txtap_status block_file_start_queue(struct block_file *file, size_t capacity, struct error *error);

/* Bytes that fit without waiting; SIZE_MAX without a queue. Each block takes JOB_HEAD_BYTES more. */
size_t block_file_room(const struct block_file *file);

/* The first failure of the thread so far. Statuses as block_file_add(). */
enum txtap_status block_file_status(const struct block_file *file, struct error *error);

/*
 * Appends a block. events: how many it has. hold: it waits for the next one, so that both are written at once.
 * TXTAP_END: the reader of the pipe went away. TXTAP_ERROR_SYSTEM: error says why; the file has only whole blocks.
 */
enum txtap_status block_file_add(struct block_file *file, const struct txtap_recording_block *block, uint32_t events,
                                 bool hold, struct error *error);

/* Writes what waits. Statuses as block_file_add(). */
enum txtap_status block_file_flush(struct block_file *file, struct error *error);

/* Asks the system to begin writing to the disk, and does not wait for it. */
void block_file_start_writeback(struct block_file *file);

/* settle: waits until everything is on the disk, unless the user wants the end. With a queue block_file_finish() waits.
 */
enum txtap_status block_file_close(struct block_file *file, bool settle, struct error *error);

/* Waits until all jobs are done, and ends the queue. Also without a queue, and after a failure. disk has the sums then.
 */
enum txtap_status block_file_finish(struct block_file *file, struct error *error);

/* ---- rotation ---- */

/*
 * Which file a recording is written to: names and limits work as tcpdump's -C, -G and -W. Asks for no time and touches
 * no file.
 */

struct rotation {
    const char *path;    /* as given with -o; borrowed */
    uint64_t file_bytes; /* 0: any size */
    uint64_t file_us;    /* 0: any time */
    uint32_t file_count; /* 0: any number */
    uint64_t begun_us;   /* when the current period began, by a clock that never jumps */
    time_t begun_unix;   /* and by the host's clock, for the name */
    uint32_t part;       /* number of the file within the period */
    uint32_t times;      /* periods that are over */
    char name[PATH_MAX]; /* of the file to write now */
};

/*
 * Names the first file. TXTAP_ERROR_USAGE: strftime makes nothing of the path, or a name that is too long.
 */
enum txtap_status rotation_begin(struct rotation *rotation, uint64_t now_us, uint64_t unix_us);

/* Would a file of that many bytes be too large? */
bool rotation_is_full(const struct rotation *rotation, uint64_t bytes);

/* Names the next file: the one before is full. */
enum txtap_status rotation_next_part(struct rotation *rotation);

/* Is the period over? */
bool rotation_is_due(const struct rotation *rotation, uint64_t now_us);

/*
 * Names the next file: the period is over. The name has the time when it ended, however late this is called. unix_us:
 * the host's clock at now_us. TXTAP_END: it was the last file.
 */
enum txtap_status rotation_next_time(struct rotation *rotation, uint64_t now_us, uint64_t unix_us);

#endif
