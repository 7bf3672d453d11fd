/* SPDX-License-Identifier: MIT */
/* What follows about a counter's rate from sights: events of which the host time is bounded from both sides. */
#ifndef TXTAP_DECODER_EVENT_HOST_RATE_H
#define TXTAP_DECODER_EVENT_HOST_RATE_H

#include "txtap/host_time.h"

#define HOST_RATE_MAX        1e3   /* of a measured rate, in ticks per microsecond: 1 GHz */
#define HOST_RATE_DRIFT      20e-6 /* of the rate, within the time of all sights */
#define HOST_RATE_WIDTH      0.05  /* a rate that is known less exactly is of no use yet */
#define HOST_RATE_CHANCE     1e-4  /* highest chance that a wrong rate fits all sights */
#define HOST_RATE_PASSES_MAX 2000
#define HOST_RATE_SPACING_US 1e6 /* between two of 64 sights: they span the last minute */

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

/* The least whole number >= value, for value below 2^63; 0 for negative ones. */
double host_rate_whole_above(double value);

/* Bounds of the time between two sights, by the host's clock. */
struct interval host_rate_elapsed(const struct txtap_host_sight *a, const struct txtap_host_sight *b);

/* The ticks from one stamp to a later one, but for whole periods. */
double host_rate_step(const struct txtap_clock *clock, const struct txtap_host_sight *a,
                      const struct txtap_host_sight *b);

/* Narrows the rate by a pair of sights. Stamps are whole ticks, so a difference may be off by one. drift: of the rate,
 * relative, between now and those sights. */
void host_rate_narrow(struct interval *rate, double ticks, struct interval elapsed, double drift);

/*
 * Raises *rate to the least rate from rate->low on that fits all stamps, with any number of periods between two of
 * them. False: there is none up to HOST_RATE_MAX, and rate->low is not below that; or it was not found in that many
 * passes over all pairs of sights.
 */
bool host_rate_fit(const struct txtap_host_sight *sights, size_t count, const struct txtap_clock *clock,
                   unsigned passes_max, struct interval *rate);

/* The highest chance that a wrong rate fits the stamps: see host_rate.c. */
double host_rate_chance(const struct txtap_host_sight *sights, size_t count, const struct txtap_clock *clock,
                        double rate);

/* Makes room for one more sight: drops every second one, or the oldest if they are far enough apart. */
void host_rate_make_room(struct txtap_host_sight *sights, size_t *count, double *spacing);

/* Notes an event that was stamped between two host times, the second of which is not below that of an earlier event. */
void host_rate_note(struct txtap_host_rate *rate, const struct txtap_clock *clock, double low, double high);

/* Forgets all that is known. */
void host_rate_forget(struct txtap_host_rate *rate);

#endif
