/* SPDX-License-Identifier: MIT */
/*
 * The file of a recording: whole blocks are appended to it. If a write fails within a block, the incomplete block is
 * cut off, if the file allows it. With a queue, a thread writes all files in order. Then a slow disk or pipe delays
 * nobody while the queue has room, and a later call reports a failure.
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

/* The open file, and counts of the written data. While there is a queue, only its thread uses this struct. */
struct block_disk {
    int fd; /* -1: no file is open */
    bool owned;
    atomic_bool regular;
    char name[PATH_MAX];
    uint64_t bytes;       /* bytes of whole blocks in the file */
    uint64_t bytes_sent;  /* the part of bytes that Linux was asked to write to the disk */
    uint64_t total_bytes; /* bytes in all files so far */
    uint64_t events;      /* events in all files so far */
    uint32_t files;
};

/* This struct must not be moved. */
struct block_file {
    struct block_disk disk;
    struct job_queue *queue; /* NULL: data is written at once */
    bool open;
    uint64_t bytes;  /* bytes of whole blocks of this file that were given to the disk */
    uint32_t blocks; /* blocks of this file, including waiting blocks */
    size_t waiting;  /* bytes in out */
    uint32_t waiting_events;
    uint8_t out[2 * (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX)];
};

/* Initializes without a file and without a queue. */
void block_file_init(struct block_file *file);

/*
 * Creates the file. If `overwrite` is true, empties an existing file. "-" is standard output; a device or a pipe is
 * opened without creating it. The head of the file is written with its first block. The preceding file must be closed.
 * ERROR_EXISTS, TXTAP_ERROR_SYSTEM: error has the file, the cause and a hint.
 */
enum txtap_status block_file_open(struct block_file *file, const char *path, bool overwrite, struct error *error);

/* Starts a thread that writes from now on. `capacity`: as in job_queue_start(). */
enum txtap_status block_file_start_queue(struct block_file *file, size_t capacity, struct error *error);

/* Returns the number of bytes that fit into the queue without waiting; SIZE_MAX without a queue. Each block needs
 * JOB_HEAD_BYTES more. */
size_t block_file_room(const struct block_file *file);

/* Returns the first failure of the thread so far, with the same statuses as block_file_add(). */
enum txtap_status block_file_status(const struct block_file *file, struct error *error);

/*
 * Appends a block. events: number of events in it. If `hold` is true, keeps the block until the next block, and writes
 * both at once. TXTAP_END: the pipe has no reader any more. TXTAP_ERROR_SYSTEM: error has the cause; the file has only
 * whole blocks.
 */
enum txtap_status block_file_add(struct block_file *file, const struct txtap_recording_block *block, uint32_t events,
                                 bool hold, struct error *error);

/* Writes the waiting blocks. Returns the same statuses as block_file_add(). */
enum txtap_status block_file_flush(struct block_file *file, struct error *error);

/* Asks Linux to start writing to the disk, and does not wait for it. */
void block_file_start_writeback(struct block_file *file);

/* Closes the file. If `settle` is true, waits until all data is on the disk, unless the user has asked to stop. With a
 * queue, block_file_finish() waits. */
enum txtap_status block_file_close(struct block_file *file, bool settle, struct error *error);

/* Waits until all jobs are done, and ends the queue. Call it also without a queue, and after a failure. Afterwards
 * file->disk has the totals. */
enum txtap_status block_file_finish(struct block_file *file, struct error *error);

/* ---- rotation ---- */

/*
 * Chooses the file that a recording is written to: names and limits work like tcpdump's -C, -G and -W. It neither asks
 * for the time nor opens files.
 */

struct rotation {
    const char *path;    /* path given with -o, which may be a pattern for strftime; borrowed */
    uint64_t file_bytes; /* 0: no limit */
    uint64_t file_us;    /* 0: no limit */
    uint32_t file_count; /* 0: no limit */
    uint64_t begun_us;   /* start of the present period, by a clock that never jumps */
    time_t begun_unix;   /* start of the present period by the host's clock, for the name */
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

/* Chooses the next name, because the present file is full. */
enum txtap_status rotation_next_part(struct rotation *rotation);

/* Returns true if the period is over. */
bool rotation_is_due(const struct rotation *rotation, uint64_t now_us);

/*
 * Chooses the next name, because the period is over. The name contains the end of the period, even if this call is
 * late. unix_us: the host's clock at now_us. TXTAP_END: that was the last file.
 */
enum txtap_status rotation_next_time(struct rotation *rotation, uint64_t now_us, uint64_t unix_us);

#endif
