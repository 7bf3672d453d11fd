/* SPDX-License-Identifier: MIT */
/*
 * Relates ticks to the host's clock, for events that are read while the target runs. It finds the rate of the target's
 * counter. It also finds how many whole periods of the counter passed in a silence, and the host time at which an event
 * was written.
 *
 * The rate is an interval that contains the true rate. It is computed from pairs of events, each stamped between two
 * known times. One assumption is necessary: the rate drifts by at most 20 ppm within about a minute. If the pairs
 * contradict the assumption, the rate is measured again. The target first stamps an event and then writes it. The
 * target may pause between the two, for example if it is an emulator that the host does not run. So a stamp has only
 * this lower bound: the last time at which the preceding event was not yet written.
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

/* Private: bounds of the rate, measured by events that were each stamped between two known times. */
struct txtap_host_rate {
    double low, high; /* ticks per microsecond; high 0: unknown */
    struct txtap_host_sight sights[TXTAP_HOST_TIME_SIGHTS];
    size_t count;
    double spacing;               /* least distance between two sights, in microseconds */
    double begun;                 /* the next sight begins `spacing` after this time */
    double noted_low, noted_high; /* bounds of the last noted time */
    unsigned wait;                /* sights until the next attempt to learn the rate */
    unsigned failures;            /* failed attempts */
};

/* Private, about 4.3 KiB. */
struct txtap_host_time {
    bool stops;                 /* the counter stops whenever the host reads the target */
    bool given;                 /* the caller gave the rate: do not measure it */
    double base_low, base_high; /* likely bounds of the rate, in ticks per microsecond; 0: unknown */
    double low, high;           /* base_low and base_high, narrowed by the sights */
    unsigned contradictions;    /* recent contradictions between sights */

    double from, to;        /* the next events were written between these times; to 0: unknown */
    double before;          /* the event before these events was written after this time; 0: unknown */
    bool has_from;          /* from is valid; false: the next events may have any age */
    bool fresh;             /* no event between from and to was seen yet */
    bool placed;            /* at_low is known */
    bool seen;              /* at_high is known */
    bool open;              /* several numbers of periods fit the current event */
    bool restarted;         /* the time source restarted before the next event */
    double at_low, at_high; /* bounds of the time at which the last event was written */
    double shown;           /* the last time returned; it never decreases, even if a bound was wrong */

    struct txtap_host_sight sights[TXTAP_HOST_TIME_SIGHTS];
    size_t count;
    double spacing;         /* least distance between two sights, in microseconds */
    double unknown_silence; /* the longest silence while the rate was unknown, in microseconds */
    struct txtap_host_rate rate;
    bool last_doubtful; /* the step to the last event was doubtful */
    uint64_t doubtful;  /* number of steps for which several numbers of periods fit, or no number fits */
};

#endif
