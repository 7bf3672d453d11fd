/* SPDX-License-Identifier: MIT */
/* Measures a counter's rate from sights: events whose host time has a lower and an upper bound. */
#ifndef TXTAP_DECODER_EVENT_HOST_RATE_H
#define TXTAP_DECODER_EVENT_HOST_RATE_H

#include "txtap/host_time.h"

#define HOST_RATE_MAX        1e3   /* the highest rate that can be measured, in ticks per microsecond: 1 GHz */
#define HOST_RATE_DRIFT      20e-6 /* maximum relative drift of the rate within the time of all sights */
#define HOST_RATE_WIDTH      0.05  /* if the relative width of a rate's bounds is larger, the rate is useless */
#define HOST_RATE_CHANCE     1e-4  /* the largest accepted probability that a wrong rate fits all sights */
#define HOST_RATE_PASSES_MAX 2000
#define HOST_RATE_SPACING_US 1e6 /* microseconds from one sight to the next, so that 64 sights span the last minute */

struct interval {
    double low, high;
};

static inline double max_of(double a, double b)
{
    return a > b ? a : b;
}

static inline double min_of(double a, double b)
{
    return a < b ? a : b;
}

/* Returns the smallest whole number that is not below value; 0 for negative values. value: below 2^63. */
double host_rate_whole_above(double value);

/* Returns bounds of the host time between two sights. */
struct interval host_rate_elapsed(const struct txtap_host_sight *a, const struct txtap_host_sight *b);

/* Returns the ticks from the stamp of a to the later stamp of b, modulo the period. */
double host_rate_step(const struct txtap_clock *clock, const struct txtap_host_sight *a,
                      const struct txtap_host_sight *b);

/*
 * Narrows the bounds of the rate by a pair of sights. ticks, elapsed: ticks and host time between the two sights.
 * Stamps are whole ticks, so ticks may be wrong by one. drift: relative drift of the rate between these sights and now.
 */
void host_rate_narrow(struct interval *rate, double ticks, struct interval elapsed, double drift);

/*
 * Sets *rate to the lowest rate, not below rate->low, that fits all stamps, with any number of periods between two
 * stamps. Returns false in two cases: no rate up to HOST_RATE_MAX fits, and rate->low is then at least HOST_RATE_MAX;
 * or passes_max passes over all pairs of sights were not enough.
 */
bool host_rate_fit(const struct txtap_host_sight *sights, size_t count, const struct txtap_clock *clock,
                   unsigned passes_max, struct interval *rate);

/* Returns an upper bound of the probability that a wrong rate fits the stamps: see host_rate.c. */
double host_rate_chance(const struct txtap_host_sight *sights, size_t count, const struct txtap_clock *clock,
                        double rate);

/*
 * Makes room for another sight if there is no room. Drops every second sight, or only the oldest sight if the sights
 * are far enough apart.
 */
void host_rate_make_room(struct txtap_host_sight *sights, size_t *count, double *spacing);

/*
 * Notes an event that was stamped between the host times low and high, in microseconds. high must not decrease from
 * call to call.
 */
void host_rate_note(struct txtap_host_rate *rate, const struct txtap_clock *clock, double low, double high);

/* Forgets the sights and the rate. */
void host_rate_forget(struct txtap_host_rate *rate);

#endif
