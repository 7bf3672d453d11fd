/* SPDX-License-Identifier: MIT */
/* How many events a tick there are, by their time stamps: for a guess at what a gap of unknown size has swallowed. */
#ifndef TXTAP_CAPTURE_DENSITY_H
#define TXTAP_CAPTURE_DENSITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: nothing was noted. */
struct density {
    bool any;      /* last is the stamp of the event before the next one noted */
    uint32_t last; /* masked */
    double steps;  /* from event to event, of late; */
    double ticks;  /* what they took; below 0 for a counter that counts down */
};

/* The next event's stamp. mask: the header's, 2^n - 1. A step may not take half of the counter's period or more. */
void density_note(struct density *density, uint32_t mask, uint32_t stamp);

/* The event that is noted next does not follow the last one. */
void density_break(struct density *density);

/*
 * How many events are missing between the last one noted and the event with that stamp, if the ones before and after it
 * are any guide: lost and so many laps more as come next to that. after: noted from that event on. 0: no guide.
 */
uint64_t density_estimate(const struct density *before, const struct density *after, uint32_t mask, uint32_t stamp,
                          uint64_t lost, uint32_t lap);

#endif
