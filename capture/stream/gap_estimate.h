/* SPDX-License-Identifier: MIT */
/*
 * How many events a tick there are, by their time stamps: for a guess at what a gap of unknown size has swallowed. It
 * is given only where it cannot be off by more than a factor of two, if the load is now what it has been of late.
 * Whether it is, the gaps themselves tell: what is known of a size, all but whole laps, is foretold by the rate, or
 * not.
 */
#ifndef TXTAP_CAPTURE_STREAM_GAP_ESTIMATE_H
#define TXTAP_CAPTURE_STREAM_GAP_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GAP_ESTIMATOR_RUNS  32 /* of late */
#define GAP_ESTIMATOR_GAPS  8
#define GAP_ESTIMATOR_STEPS 64 /* of a run */

/* So many steps from event to event, gaps left out, took so many ticks; below 0 for a counter that counts down. */
struct gap_estimator_run {
    double steps, ticks;
};

/* A gap that was: ticks that it took, and by how much of a lap the rate around it was off what is known of its size. */
struct gap_estimator_past {
    double ticks, error;
};

/* All zero: nothing was noted. */
struct gap_estimator {
    bool any;                     /* last is the stamp of the event before the next one noted */
    uint32_t last;                /* masked */
    struct gap_estimator_run run; /* that is not full yet */
    struct gap_estimator_run runs[GAP_ESTIMATOR_RUNS];
    unsigned run_count, next_run;
    double fastest; /* events a tick, of all runs ever */
    struct gap_estimator_past gaps[GAP_ESTIMATOR_GAPS];
    unsigned gap_count, next_gap;
};

/* A gap before the event with that stamp, which has lost so many events or any number of laps more. */
struct gap_estimator_gap {
    uint32_t stamp;
    uint64_t lost;
    uint32_t lap;
};

struct gap_estimate {
    uint64_t estimate; /* lost, or so many laps more; 0: nobody knows */
    uint64_t most;     /* were all of the gap as dense as the densest run; 0: nobody knows */
};

/* The next event's stamp. mask: the header's, 2^n - 1. A step may not take half of the counter's period or more. */
void gap_estimator_note(struct gap_estimator *estimator, uint32_t mask, uint32_t stamp);

/* The event that is noted next does not follow the last one. */
void gap_estimator_break(struct gap_estimator *estimator);

/*
 * How many events are missing between the last one noted and the one behind the gap, before that is noted. after: noted
 * from that one on. The counter may not have wrapped between the two.
 */
struct gap_estimate gap_estimate_find(struct gap_estimator *estimator, const struct gap_estimator *after, uint32_t mask,
                                      const struct gap_estimator_gap *gap);

#endif
