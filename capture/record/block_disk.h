/* SPDX-License-Identifier: MIT */
/*
 * Where the blocks of a recording go: a file, or a place of another kind. The kinds are rows of a table; nothing else
 * knows their names. All functions run in the thread that writes, so they may wait.
 */
#ifndef TXTAP_CAPTURE_RECORD_BLOCK_DISK_H
#define TXTAP_CAPTURE_RECORD_BLOCK_DISK_H

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "base/job_queue.h"
#include "nats/place.h"
#include "txtap/status.h"

struct block_disk;

/* A kind of place. Add a row to the table in block_disk.c. */
struct block_disk_kind {
    const char *prefix; /* begins the paths of these places, such as "nats://"; NULL: all other paths */

    /* Opens the file `path`. Sets disk->name, which messages use, and disk->regular. If `overwrite` is true, replaces
     * an existing file. ERROR_EXISTS, TXTAP_ERROR_SYSTEM: error has the place, the cause and a hint. */
    enum txtap_status (*open)(struct block_disk *disk, const char *path, bool overwrite, struct error *error);

    /* Appends whole blocks; the first blocks of a file follow the head of a recording. TXTAP_END: nobody reads the
     * place any more. Other failures: error has the cause, and only whole blocks are in the place. */
    enum txtap_status (*write)(struct block_disk *disk, const char *bytes, size_t length, struct error *error);

    /* Asks the place to keep the bytes that it has so far. Does not wait. */
    void (*start_writeback)(struct block_disk *disk);

    /* Ends the file. If `settle` is true, waits until the place keeps all bytes, unless the user has asked to stop. */
    enum txtap_status (*close)(struct block_disk *disk, bool settle, struct error *error);

    /* Frees disk->place, after the last file or after a failure of open(). NULL: nothing to free. */
    void (*end)(struct block_disk *disk);
};

/* The open file, and counts of the written data. While there is a queue, only its thread uses this struct. */
struct block_disk {
    const struct block_disk_kind *kind; /* NULL: no file was opened yet */
    void *place;                        /* private to the kind; it may stay from file to file */
    bool is_open;
    bool numbers_names; /* set by the caller before the first file: no file is overwritten. If a name exists, a number
                         * is added to it */
    const char *spool;  /* set by the caller before the first file: a folder for blocks that wait; NULL: no folder */
    struct stream_limits stream; /* the same: limits of a stream that is made */
    int fd;                      /* of a file; -1: no file is open */
    bool owned;
    bool named;          /* the file had a name when it was opened; if it is removed, nobody can read it */
    atomic_bool regular; /* the bytes go to a disk, which recovers if it stalls */
    char name[PATH_MAX];
    pthread_mutex_t lock; /* for `asked` and `given` */
    char asked[PATH_MAX]; /* path at which the last file was opened, if numbers_names is true */
    char given[PATH_MAX]; /* the same path, with the number that it got */
    uint64_t bytes;       /* bytes of whole blocks in the file */
    uint64_t bytes_sent;  /* position in the file up to which Linux was asked to write to the disk */
    uint64_t total_bytes; /* bytes in all files so far */
    uint64_t events;      /* events in all files so far */
    uint32_t files;
};

/* Returns true if the path is the place of a kind with a prefix: not a file, a device or a pipe. */
bool block_disk_has_prefix(const char *path);

/* Initializes without a file. */
void block_disk_init(struct block_disk *disk);

/* Sets `path` to the real name of the file that was opened at this path, if it has got a number. Any thread may call
 * it. */
void block_disk_learn_name(struct block_disk *disk, char path[static PATH_MAX]);

/* The jobs that block_disk_work() does. */
enum block_disk_job {
    BLOCK_DISK_OPEN,  /* bytes: the path and its NUL; number: overwrite */
    BLOCK_DISK_WRITE, /* bytes: whole blocks; number: events in them */
    BLOCK_DISK_WRITEBACK,
    BLOCK_DISK_CLOSE, /* number: settle */
};

/* Does a job. A job_worker; self: the struct block_disk. */
enum txtap_status block_disk_work(void *self, const struct job *job, enum txtap_status earlier, struct error *error);

/* Closes the open file, if there is an open file, and ends the place. Ignores failures. */
void block_disk_end(struct block_disk *disk);

#endif
