/* SPDX-License-Identifier: MIT */
/*
 * Which file a recording is written to: names and limits work as tcpdump's -C, -G and -W. Asks for no time and touches
 * no file.
 */
#ifndef TXTAP_CAPTURE_RECORD_ROTATION_H
#define TXTAP_CAPTURE_RECORD_ROTATION_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "txtap/status.h"

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
