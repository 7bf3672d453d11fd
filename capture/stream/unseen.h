/* SPDX-License-Identifier: MIT */
/*
 * Can events be lost so that nobody sees it? Where no laps are counted, a lap is noticed because the reader's guard
 * looks otherwise afterwards. If its time stamp can come again a lap later, so can the whole entry.
 */
#ifndef TXTAP_CAPTURE_STREAM_UNSEEN_H
#define TXTAP_CAPTURE_STREAM_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

enum unseen_clock {
    UNSEEN_CLOCK_UNKNOWN, /* too few stamps, all the same */
    UNSEEN_CLOCK_RUNS,
    UNSEEN_CLOCK_STANDS
};

/* All zero: no stamp was seen. */
struct unseen {
    uint64_t stamps; /* so many; */
    uint64_t equal;  /* the newest of them that are the same */
    uint32_t last;
    uint64_t asked_us; /* when the target was last asked whether its ring has wrapped */
};

/* The next event's stamp, masked. */
void unseen_note(struct unseen *unseen, uint32_t stamp);

/* Of the newest events, in a ring of so many entries. A slow clock may stay the same for less than half a ring. */
enum unseen_clock unseen_clock(const struct unseen *unseen, uint32_t entries);

#endif
