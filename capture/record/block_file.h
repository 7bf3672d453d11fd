/* SPDX-License-Identifier: MIT */
/*
 * The file of a recording. Only whole blocks are appended. With a queue, a thread writes all files in order. A slow
 * disk or pipe then does not delay the caller while the queue has room. A failure is reported by a later call.
 */
#ifndef TXTAP_CAPTURE_RECORD_BLOCK_FILE_H
#define TXTAP_CAPTURE_RECORD_BLOCK_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/failure.h"
#include "base/job_queue.h"
#include "record/block_disk.h"
#include "txtap/recording.h"
#include "txtap/status.h"

/* This struct must not be moved. */
struct block_file {
    struct block_disk disk;
    struct job_queue *queue; /* NULL: data is written at once */
    bool open;
    uint64_t bytes;  /* bytes of this file that were given to the disk or the queue */
    uint32_t blocks; /* blocks of this file, including waiting blocks */
    size_t waiting;  /* number of bytes in `out` that are not yet given to the disk or the queue */
    uint32_t waiting_events;
    uint8_t out[2 * (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX)];
};

/* Initializes without a file and without a queue. */
void block_file_init(struct block_file *file);

/*
 * Creates the file. If `overwrite` is true, empties an existing file. path: see struct block_disk_kind. The head of the
 * file is written with its first block. The preceding file must be closed. ERROR_EXISTS, TXTAP_ERROR_SYSTEM: error has
 * the file, the cause and a hint.
 */
enum txtap_status block_file_open(struct block_file *file, const char *path, bool overwrite, struct error *error);

/* Starts a queue: from now on its thread does all writing. capacity: see job_queue_start(). */
enum txtap_status block_file_start_queue(struct block_file *file, size_t capacity, struct error *error);

/* Returns the number of bytes that fit into the queue without waiting; SIZE_MAX without a queue. In the queue, each
 * write takes JOB_HEAD_BYTES in addition to its data. */
size_t block_file_room(const struct block_file *file);

/* Returns the first failure of the thread so far, with the same statuses as block_file_add(). */
enum txtap_status block_file_status(const struct block_file *file, struct error *error);

/*
 * Appends a block. events: number of events in the block. If `hold` is true, keeps the block and writes it together
 * with the next block. TXTAP_END: the pipe has no reader any more. TXTAP_ERROR_SYSTEM: error has the cause; the file
 * has only whole blocks.
 */
enum txtap_status block_file_add(struct block_file *file, const struct txtap_recording_block *block, uint32_t events,
                                 bool hold, struct error *error);

/* Writes the waiting blocks. Returns the same statuses as block_file_add(). */
enum txtap_status block_file_flush(struct block_file *file, struct error *error);

/* Asks Linux to start writing the file's data to the disk. Does not wait for the disk. */
void block_file_start_writeback(struct block_file *file);

/* Closes the file. If `settle` is true, the file is closed only after all data is on the disk, unless the user has
 * asked to stop. With a queue this function does not wait, but block_file_finish() does. */
enum txtap_status block_file_close(struct block_file *file, bool settle, struct error *error);

/* Waits until all jobs are done, and ends the queue. Always call it at the end, even without a queue or after a
 * failure. Then file->disk has the totals. */
enum txtap_status block_file_finish(struct block_file *file, struct error *error);

/* ---- rotation ---- */

/*
 * Chooses the file to write next. Names and limits work like tcpdump's -C, -G and -W. These functions do not read the
 * clock and do not open files.
 */

struct rotation {
    const char *path;    /* path given with -o, which may be a pattern for strftime; borrowed */
    bool fixed;          /* the path is a place that distinguishes its files itself: all names are the path */
    uint64_t file_bytes; /* 0: no limit */
    uint64_t file_us;    /* 0: no limit */
    uint32_t file_count; /* 0: no limit */
    uint64_t begun_us;   /* start of the present period by the monotonic clock */
    time_t begun_unix;   /* start of the present period by the host's wall clock, for the name */
    uint32_t part;       /* number of the file within the period */
    uint32_t times;      /* number of past periods */
    char name[PATH_MAX]; /* name of the file to write now */
};

/*
 * Chooses the first name. TXTAP_ERROR_USAGE: strftime makes no name from the path, or the name is too long.
 */
enum txtap_status rotation_begin(struct rotation *rotation, uint64_t now_us, uint64_t unix_us);

/* Returns true if a file of this number of bytes would be too large. */
bool rotation_is_full(const struct rotation *rotation, uint64_t bytes);

/* Chooses the next name after the present file became full. */
enum txtap_status rotation_next_part(struct rotation *rotation);

/* Returns true if the period is over. */
bool rotation_is_due(const struct rotation *rotation, uint64_t now_us);

/*
 * Chooses the next name after a period is over. The name contains the time at which the period ended, even if this call
 * is late. unix_us: the host's wall clock at now_us. TXTAP_END: the last file is complete.
 */
enum txtap_status rotation_next_time(struct rotation *rotation, uint64_t now_us, uint64_t unix_us);

#endif
