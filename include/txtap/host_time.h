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

#include "txtap/api.h"
#include "txtap/clock.h"

TXTAP_API_BEGIN

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
    bool stops;                 /* the counter stands still at times: see txtap_host_time_stops() */
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

/* tick_hz: the rate, believed to 100 ppm; 0: measure it. */
void txtap_host_time_init(struct txtap_host_time *time, double tick_hz);

/*
 * The target, and its counter, stand still whenever it is read. Then the host's clock does not tell the counter's rate,
 * and none is measured. To be called at any time; it has an effect from the next event on.
 */
void txtap_host_time_stops(struct txtap_host_time *time);

/*
 * The next events were written between from_us and to_us of the host's monotonic clock, in microseconds above 0.
 * from_us 0: there is no earliest time. Otherwise neither may be less than in an earlier call.
 */
void txtap_host_time_window(struct txtap_host_time *time, uint64_t from_us, uint64_t to_us);

/*
 * As txtap_clock_unwrap(), but adds the whole periods that passed since the last event: the number that fits window and
 * rate; if several fit, or none, the nearest. While the rate is unknown, it assumes at most one wrap, and adds missed
 * periods at the first event after the rate became known. Before the first window it equals txtap_clock_unwrap().
 */
uint64_t txtap_host_time_unwrap(struct txtap_host_time *time, struct txtap_clock *clock, uint32_t stamp);

/* As txtap_clock_restart(); the ticks that elapsed follow from the host's clock, or are 0 if the rate is unknown. */
void txtap_host_time_restart(struct txtap_host_time *time, struct txtap_clock *clock, uint32_t mask);

/*
 * When the last event was written, by the host's monotonic clock in microseconds: within its window, and never before
 * the preceding event. False if it may have been written before the reader started, or the bounds are more than a
 * second apart.
 */
bool txtap_host_time_last_us(const struct txtap_host_time *time, uint64_t *host_us);

/* May the ticks between the last two events have too few or too many whole periods? */
bool txtap_host_time_last_doubtful(const struct txtap_host_time *time);

/*
 * The measured rate, in ticks per second, is in *low..*high; a given rate has no influence on it. False, and both 0:
 * it is not known, or only to more than 5 %.
 */
bool txtap_host_time_rate(const struct txtap_host_time *time, double *low, double *high);

/* Was there a silence whose number of periods is uncertain? Then all later ticks are doubtful. */
bool txtap_host_time_doubtful(const struct txtap_host_time *time, const struct txtap_clock *clock);

TXTAP_API_END

#endif
