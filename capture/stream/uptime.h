/* SPDX-License-Identifier: MIT */
/*
 * The target's uptime: a count that only grows between two resets. It tells the trace of a target that ran on while
 * nothing was read from a new one after a reset. Asks nobody: counts and times are given.
 */
#ifndef TXTAP_CAPTURE_STREAM_UPTIME_H
#define TXTAP_CAPTURE_STREAM_UPTIME_H

#include <stdbool.h>
#include <stdint.h>

/* A count was read at some moment from from_us to to_us. The host may have been busy in between. */
struct uptime_window {
    uint64_t from_us, to_us;
};

/* All zero: no count was read yet. */
struct uptime {
    bool known;
    uint32_t first, last;                       /* counts, */
    struct uptime_window first_read, last_read; /* and when they were read */
};

enum uptime_verdict { UPTIME_SAME, UPTIME_RESET, UPTIME_UNKNOWN };

/* Notes a count. One that is below the last begins a new record. */
void uptime_note(struct uptime *uptime, uint32_t count, const struct uptime_window *read);

/* Is this count of the same life of the target as those noted, or was the target reset? */
enum uptime_verdict uptime_judge(const struct uptime *uptime, uint32_t count, const struct uptime_window *read);

/* The count stands still, or grows at another pace than those noted: it is not that of the same firmware. */
bool uptime_is_foreign(const struct uptime *uptime, uint32_t count, const struct uptime_window *read);

#endif
