/* SPDX-License-Identifier: MIT */
/*
 * Relates ticks to the host's clock: how fast the target's counter runs, how many whole periods passed in a silence,
 * and when an event was written by the host's clock. For events that are read while the target runs.
 *
 * The rate is not an estimate but an interval that contains it. It follows from pairs of events, each of which was
 * stamped between two known times, under one assumption: it drifts by no more than 20 ppm within about a minute. If
 * that turns out wrong, it is measured again. An event is stamped before it is written, and the target may stand still
 * between the two: an emulator that its host does not run. So the earliest time of a stamp is that at which the event
 * before was not written yet.
 */
#ifndef TXTAP_HOST_TIME_H
#define TXTAP_HOST_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/clock.h"

#define TXTAP_HOST_TIME_SIGHTS 64u

/* Private: an event, and the bounds of the host time at which it was written. */
struct txtap_host_sight {
    uint32_t stamp; /* masked */
    uint64_t ticks;
    double low, high; /* microseconds */
};

/* Private: bounds of the rate that contain it, measured by events each of which was stamped between two times. */
struct txtap_host_rate {
    double low, high; /* ticks per microsecond; high 0: unknown */
    struct txtap_host_sight sights[TXTAP_HOST_TIME_SIGHTS];
    size_t count;
    double spacing;               /* least distance between two sights, in microseconds, */
    double begun;                 /* which counts from then, for the last one */
    double noted_low, noted_high; /* the times that were noted last */
    unsigned wait, failures;      /* sights before the next try to learn it, and how many tries failed */
};

/* Private, about 4.3 KiB. */
struct txtap_host_time {
    bool stops;                 /* the counter stands still whenever the target is read */
    bool given;                 /* the caller gave the rate: do not measure it */
    double base_low, base_high; /* likely bounds of the rate in ticks per microsecond; 0: unknown */
    double low, high;           /* the same, narrowed by the sights */
    unsigned contradictions;    /* recent ones */

    double from, to;        /* when the next events were written; to 0: unknown */
    double before;          /* the event before this one was written after it; 0: unknown */
    bool has_from;          /* false: they may be of any age */
    bool fresh;             /* no event of these times was seen yet */
    bool placed;            /* at_low is known */
    bool seen;              /* at_high is known */
    bool open;              /* several counts of periods fit the event that is being placed */
    bool restarted;         /* the time source restarted before the next event */
    double at_low, at_high; /* bounds of the time at which the last event was written */
    double shown;           /* the last time returned: it never goes back, even if a bound turns out wrong */

    struct txtap_host_sight sights[TXTAP_HOST_TIME_SIGHTS];
    size_t count;
    double spacing;         /* least distance between two sights, in microseconds */
    double unknown_silence; /* the longest silence while the rate was unknown, in microseconds */
    struct txtap_host_rate rate;
    bool last_doubtful; /* the step to the last event was doubtful */
    uint64_t doubtful;  /* steps that several counts of periods fit, or none */
};

#endif
