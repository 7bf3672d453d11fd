/* SPDX-License-Identifier: MIT */
/*
 * Which file a recording is in: names and limits as tcpdump's -C, -G and -W have them. Time is given, no file is
 * touched.
 */
#ifndef TXTAP_CAPTURE_RECORD_ROTATION_H
#define TXTAP_CAPTURE_RECORD_ROTATION_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "txtap/status.h"

struct rotation {
    const char *path;    /* as given; borrowed */
    uint64_t file_bytes; /* 0: any size */
    uint64_t file_us;    /* 0: any time */
    uint32_t file_count; /* 0: any number */
    uint64_t begun_us;   /* when the files of this time began, by a clock that never jumps */
    time_t begun_unix;   /* and by the host's, for the name */
    uint32_t part;       /* by size: which of them */
    uint32_t times;      /* how often time was up */
    char name[PATH_MAX]; /* of the file that is to be written now */
};

/*
 * The first file. TXTAP_ERROR_USAGE: what strftime makes of the path is longer
 * than a path may be, or nothing.
 */
enum txtap_status rotation_begin(struct rotation *rotation, uint64_t now_us, uint64_t unix_us);

/* Would a file of so many bytes be too large? */
bool rotation_is_full(const struct rotation *rotation, uint64_t bytes);

/* The name of the next file, the one before being full. */
enum txtap_status rotation_next_part(struct rotation *rotation);

/* Is the time of this file up? */
bool rotation_is_due(const struct rotation *rotation, uint64_t now_us);

/*
 * The name of the next file, the time of the one before being up: by when that was, however late it is looked at.
 * unix_us: the host's clock at now_us. TXTAP_END: it was the last.
 */
enum txtap_status rotation_next_time(struct rotation *rotation, uint64_t now_us, uint64_t unix_us);

#endif
