/* SPDX-License-Identifier: MIT */
/*
 * Alarms: a violated check, a fault and a reset become a line of JSON in a file. A sink before the recording sees the
 * marks. A thread writes the lines, so that a slow disk does not delay the reading of the target.
 */
#ifndef TXTAP_CAPTURE_RECORD_ALARMS_H
#define TXTAP_CAPTURE_RECORD_ALARMS_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "base/job_queue.h"
#include "nats/publisher.h"
#include "txtap/item.h"

#define ALARMS_AT_ONCE  10      /* alarms that are written at once */
#define ALARMS_EVERY_US 6000000 /* after that, the interval between two alarms that are written */

/* {0}: no alarms are written. This struct must not be moved while it is open. */
struct alarms {
    const char *path;          /* borrowed; NULL: not open */
    char board[NAME_MAX + 1];  /* name of the folder of `path` */
    const char *recording;     /* file that the recording writes now; borrowed */
    uint64_t (*now_us)(void);  /* a clock that never jumps */
    uint64_t (*wall_us)(void); /* microseconds since 1970 */
    struct txtap_sink next;

    bool has_event; /* seq and ticks belong to the last event */
    uint64_t seq, ticks;

    unsigned allowed;     /* alarms that may be written now */
    uint64_t allowed_us;  /* time up to which `allowed` has grown */
    uint64_t left_out;    /* alarms that were not written since the last line */
    uint64_t last_out_us; /* wall clock of the last alarm that was not written */

    char place[NATS_TEXT_BYTES]; /* place of the recording without a password; valid if `publisher` is not NULL */
    struct publisher *publisher; /* publishes the lines, too; or NULL */
    struct job_queue *queue;
    atomic_bool to_disk; /* for the queue */
};

/*
 * Checks that the file can be written, and creates it. recording: the place of NATS where the recording is published,
 * with its spool and limits, or NULL; the lines are then published at this subject with ".alarm" after it.
 * TXTAP_ERROR_SYSTEM: the file cannot be written. Other statuses: see publisher_open(). On failure error has the cause
 * and a hint; nothing stays open.
 */
enum txtap_status alarms_open(struct alarms *alarms, const char *path, const struct publisher_setup *recording,
                              uint64_t (*now_us)(void), uint64_t (*wall_us)(void), struct error *error);

/* Returns a sink that passes all items on to `next`. recording: the text changes when the recording begins another
 * file. If the alarms are not open, returns `next`. */
struct txtap_sink alarms_sink(struct alarms *alarms, struct txtap_sink next, const char *recording);

/* Writes the number of alarms that were left out since the last line, and waits until all lines are written. On failure
 * error has the cause. Does nothing if the alarms are not open. */
enum txtap_status alarms_close(struct alarms *alarms, struct error *error);

#endif
