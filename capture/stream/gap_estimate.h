/* SPDX-License-Identifier: MIT */
/*
 * Estimates how many events a gap of unknown size swallowed: by the events per tick around it, from their time stamps.
 * Gives an estimate only if it cannot be off by more than a factor of two while the load is what it has been recently.
 * The gaps themselves tell whether it is: their sizes are known but for whole laps, and the rate either predicts that
 * remainder or not.
 */
#ifndef TXTAP_CAPTURE_STREAM_GAP_ESTIMATE_H
#define TXTAP_CAPTURE_STREAM_GAP_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#define GAP_ESTIMATOR_RUNS  32 /* that are remembered */
#define GAP_ESTIMATOR_GAPS  8
#define GAP_ESTIMATOR_STEPS 64 /* of a run */

/* A number of steps from event to event, without gaps, and the ticks they took: below 0 if the counter counts down. */
struct gap_estimator_run {
    double steps, ticks;
};

/* An earlier gap: its ticks, and the error of the rate around it, in laps, against what is known of its size. */
struct gap_estimator_past {
    double ticks, error;
};

/* All zero: nothing was noted. */
struct gap_estimator {
    bool any;                     /* last is the stamp of the event before the next one noted */
    uint32_t last;                /* masked */
    struct gap_estimator_run run; /* not full yet */
    struct gap_estimator_run runs[GAP_ESTIMATOR_RUNS];
    unsigned run_count, next_run;
    double fastest;                   /* events per tick, of all runs ever */
    double run_total, ticks, squares; /* how many runs were full, the sum of their ticks, and of the squares of these */
    struct gap_estimator_past gaps[GAP_ESTIMATOR_GAPS];
    unsigned gap_count, next_gap;
};

/* A gap before the event with that stamp: it lost this many events, or any number of laps more. lap 0: no estimate. */
struct gap_estimator_gap {
    uint32_t stamp;
    uint64_t lost;
    uint32_t lap;
};

struct gap_estimate {
    uint64_t estimate; /* lost, or whole laps more; 0: unknown */
    uint64_t most;     /* if all of the gap was as dense as the densest run; 0: unknown */
};

/* The next event's stamp. mask: the header's, 2^n - 1. A step may not take half of the counter's period or more. */
void gap_estimator_note(struct gap_estimator *estimator, uint32_t mask, uint32_t stamp);

/*
 * Events per tick, on average over all full runs; 0: unknown. It is unknown if there are few runs, if their ticks vary
 * so much that the average may be wrong by a quarter, or if the stamps stand still.
 */
double gap_estimator_rate(const struct gap_estimator *estimator);

/* The event that is noted next does not follow the last one. */
void gap_estimator_break(struct gap_estimator *estimator);

/*
 * How many events are missing between the last one noted and the one behind the gap, which is not noted yet. after: an
 * estimator that was given only the events from that one on. The counter must not have wrapped within the gap.
 */
struct gap_estimate gap_estimate_find(struct gap_estimator *estimator, const struct gap_estimator *after, uint32_t mask,
                                      const struct gap_estimator_gap *gap);

#endif
