/* SPDX-License-Identifier: MIT */
/*
 * Can events be lost unseen? Where the target counts no laps, a lap shows in the guard, an entry that the reader knows
 * and that has changed. If a lap later the same time stamp can come again, so can the whole entry.
 */
#ifndef TXTAP_CAPTURE_STREAM_UNSEEN_H
#define TXTAP_CAPTURE_STREAM_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

enum unseen_clock {
    UNSEEN_CLOCK_UNKNOWN, /* too few stamps so far, all equal */
    UNSEEN_CLOCK_RUNS,
    UNSEEN_CLOCK_STANDS
};

/* All zero: no stamp was seen. */
struct unseen {
    uint64_t stamps; /* how many were noted */
    uint64_t equal;  /* how many of the newest are equal */
    uint32_t last;
    uint64_t asked_us; /* when the target was last asked whether its ring has wrapped */
};

/* The next event's stamp, masked. */
void unseen_note(struct unseen *unseen, uint32_t stamp);

/* Judges the clock, for a ring of that many entries. A clock that stands still for less than half a ring is just slow.
 */
enum unseen_clock unseen_clock(const struct unseen *unseen, uint32_t entries);

#endif
