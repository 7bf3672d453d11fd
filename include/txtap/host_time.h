/* SPDX-License-Identifier: MIT */
/*
 * Ticks and the host's clock: how fast the target's counter runs, how many whole periods it went through in a silence,
 * and when by the host's clock an event was written. For events that are read while the target runs.
 *
 * The rate is an interval in which it lies, not an estimate. It follows from pairs of events whose times are bounded by
 * what the reader saw, under one assumption: within about a minute it does not wander by more than 20 ppm. Where
 * that, or the bounds, turn out wrong, it is measured again.
 */
#ifndef TXTAP_HOST_TIME_H
#define TXTAP_HOST_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/clock.h"

TXTAP_API_BEGIN

#define TXTAP_HOST_TIME_SIGHTS 64u

/* An event, and the bounds of the host time at which it was written. */
struct txtap_host_sight {
    uint32_t stamp; /* masked */
    uint64_t ticks;
    double low, high; /* microseconds */
};

/* About 2.2 KiB. Nothing in it is for the caller. */
struct txtap_host_time {
    bool given;                 /* the rate is known, not measured */
    double base_low, base_high; /* of the rate, in ticks per microsecond; 0: unknown */
    double low, high;           /* the same, with what the sights say */
    unsigned contradictions;    /* contradictions of late */

    double from, to;        /* the window of the events to come; to 0: there is none */
    bool has_from;          /* false: they may be of any age */
    bool fresh;             /* the window is new: no event of it was seen */
    bool placed;            /* at_low is known */
    bool seen;              /* at_high is known */
    bool open;              /* several counts of periods fit the event that is being placed */
    bool restarted;         /* the time source restarted before the next event */
    double at_low, at_high; /* when the last event was written */
    double shown;           /* what was said of that: it never goes back, even if a bound turns out wrong */

    struct txtap_host_sight sights[TXTAP_HOST_TIME_SIGHTS];
    size_t count;
    double spacing;         /* of the sights, at least, in microseconds */
    double unknown_silence; /* the longest one while no rate was known, in microseconds */
    bool last_doubtful;     /* the step to the last event was one of these: */
    uint64_t doubtful;      /* steps of which several counts of periods were possible, or none */
};

/* tick_hz: the rate, believed to 100 ppm; 0: to be measured. */
void txtap_host_time_init(struct txtap_host_time *time, double tick_hz);

/*
 * The events to come were written between from_us and to_us of the host's monotonic clock, in microseconds above 0.
 * from_us 0: nobody knows since when they may have been there. Otherwise neither may be less than in a call before.
 */
void txtap_host_time_window(struct txtap_host_time *time, uint64_t from_us, uint64_t to_us);

/*
 * As txtap_clock_unwrap(), with the whole periods that passed since the event before: the number that fits window and
 * rate, and if several do, or none, the nearest. While the rate is unknown a stamp has wrapped once at most, as there;
 * what was missed is added at the first event after the rate became known. Without any window it is that function.
 */
uint64_t txtap_host_time_unwrap(struct txtap_host_time *time, struct txtap_clock *clock, uint32_t stamp);

/* As txtap_clock_restart(); the ticks that elapsed are taken from the host's clock, or none if the rate is unknown. */
void txtap_host_time_restart(struct txtap_host_time *time, struct txtap_clock *clock, uint32_t mask);

/*
 * When the event unwrapped last was written, by the host's monotonic clock in microseconds: within its window, and
 * never before the one that preceded it. False if it may have been there before the reader came.
 */
bool txtap_host_time_last_us(const struct txtap_host_time *time, uint64_t *host_us);

/* Are the ticks between the event unwrapped last and the one before it doubtful: may whole periods be missing or too
 * many? */
bool txtap_host_time_last_doubtful(const struct txtap_host_time *time);

/* The rate in ticks per second lies in low..high. False, and both 0, while it is unknown. */
bool txtap_host_time_rate(const struct txtap_host_time *time, double *low, double *high);

/* Was there a silence of which it is not certain how many of the counter's periods it had? Then ticks are doubtful. */
bool txtap_host_time_doubtful(const struct txtap_host_time *time, const struct txtap_clock *clock);

TXTAP_API_END

#endif
