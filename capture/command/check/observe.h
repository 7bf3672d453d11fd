/* SPDX-License-Identifier: MIT */
/* Observes a target or reads files, once: judges the checks, collects all figures, and keeps the events. */
#ifndef TXTAP_CAPTURE_COMMAND_CHECK_OBSERVE_H
#define TXTAP_CAPTURE_COMMAND_CHECK_OBSERVE_H

#include <stdbool.h>

#include "input/input.h"
#include "command/report/report_collect.h"
#include "command/run_loop.h"
#include "record/recorder.h"

#define OBSERVE_SECONDS_DEFAULT 10 /* how long a target is observed without --seconds */

struct observation {
    struct report_input input;
    struct identity identity;      /* description of the target, or of the older trace */
    struct report_results results; /* figures and checks; no baseline */
    uint64_t begun_us;             /* start, in microseconds since 1970 */
    double took;                   /* duration of the run, in seconds */
    struct recording recording;    /* keeps a target's events; valid while `records` is true */
    bool records;
    char *kept; /* path of a temporary recording; NULL: the events are in the user's files */
    struct run_loop loop;
};

/*
 * Prepares the analyses and the checks. list: `count` checks, borrowed. name: name of the trace, borrowed. may_learn:
 * the rate may become known later. Returns the statuses of checks_init(). After success, call observation_close().
 */
enum txtap_status observation_open(struct observation *observation, const struct options *options,
                                   const struct txtap_check *list, size_t count, const char *name, bool may_learn,
                                   struct error *error);
void observation_close(struct observation *observation);

/* Reads files, and completes the checks. input: open, at its first byte. Returns the statuses of report_input_read().
 */
enum txtap_status observation_read(struct observation *observation, const struct options *options, struct input *input,
                                   struct error *error);

/*
 * Follows a target for --seconds, and completes the checks. keeps: the events are needed later, so they are kept in the
 * recording of -o, or in a temporary recording. Completes the checks even if the target can no longer be read. Returns
 * the exit code of the run, which does not depend on the results of the checks; error has the cause.
 */
int observation_follow(struct observation *observation, const struct options *options, struct attachment *attachment,
                       bool keeps, struct error *error);

#endif
