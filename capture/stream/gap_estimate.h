/* SPDX-License-Identifier: MIT */
/*
 * Estimates how many events were lost in a gap of unknown size, from the events per tick around the gap. Gives an
 * estimate only if its error is at most a factor of two, provided that the load has not changed. The gaps show whether
 * the load has changed: the size of a gap is known modulo the ring's size, and with an unchanged load the rate predicts
 * this remainder.
 */
#ifndef TXTAP_CAPTURE_STREAM_GAP_ESTIMATE_H
#define TXTAP_CAPTURE_STREAM_GAP_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#define GAP_ESTIMATOR_RUNS  32 /* number of runs that are remembered */
#define GAP_ESTIMATOR_GAPS  8
#define GAP_ESTIMATOR_STEPS 64 /* steps of a full run */

/* A sequence of events without gaps. steps: number of steps from event to event. ticks: duration of the sequence; below
 * 0 if the counter counts down. */
struct gap_estimator_run {
    double steps, ticks;
};

/* An earlier gap. ticks: its duration. error: distance from the size that the rate predicted to the nearest possible
 * size, in laps (0 to 0.5). */
struct gap_estimator_past {
    double ticks, error;
};

/* All zero: nothing noted yet. */
struct gap_estimator {
    bool any;                     /* `last` is valid, and there is no gap after it */
    uint32_t last;                /* stamp of the last event, masked */
    struct gap_estimator_run run; /* the current run, not full yet */
    struct gap_estimator_run runs[GAP_ESTIMATOR_RUNS];
    unsigned run_count, next_run;
    double fastest; /* most events per tick of any run so far */
    /* number of full runs so far, the sum of their ticks, and the sum of their squared ticks */
    double run_total, ticks, squares;
    struct gap_estimator_past gaps[GAP_ESTIMATOR_GAPS];
    unsigned gap_count, next_gap;
};

/* A gap before the event with this stamp. The gap lost `lost` events, plus an unknown number of whole laps. lap: size
 * of a lap in events; 0: no estimate is made. */
struct gap_estimator_gap {
    uint32_t stamp;
    uint64_t lost;
    uint32_t lap;
};

struct gap_estimate {
    uint64_t estimate; /* lost, plus a number of whole laps; 0: unknown */
    uint64_t most;     /* size of the gap if its events were as dense as the densest run; 0: unknown */
};

/* Notes the next event's stamp. mask: the header's mask for stamps, 2^n - 1. The time from event to event must be less
 * than half of the counter's period. */
void gap_estimator_note(struct gap_estimator *estimator, uint32_t mask, uint32_t stamp);

/* Returns the average events per tick of all full runs; 0: unknown. It is unknown if there are few runs, if their ticks
 * vary so much that the average may be wrong by a quarter, or if the stamps stand still. */
double gap_estimator_rate(const struct gap_estimator *estimator);

/* Notes that events are missing between the last noted event and the next event. */
void gap_estimator_break(struct gap_estimator *estimator);

/* Estimates how many events are missing between the last noted event and the event after the gap, which is not noted
 * yet. after: an estimator that got only the events after the gap. The counter must not have wrapped within the gap. */
struct gap_estimate gap_estimate_find(struct gap_estimator *estimator, const struct gap_estimator *after, uint32_t mask,
                                      const struct gap_estimator_gap *gap);

#endif
