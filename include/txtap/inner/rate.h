/* SPDX-License-Identifier: MIT */
/* Not installed: for the program txtap, its page and tests, which link txtap_core. The error of a measured rate. */
#ifndef TXTAP_INNER_RATE_H
#define TXTAP_INNER_RATE_H

#include <stdbool.h>

#include "txtap/rate.h"

/* Returns true if the rate is known only within its bounds. A rate that was given, or agreed with the firmware's clock,
 * counts as exact. */
static inline bool txtap_rate_is_inexact(const struct txtap_rate *rate)
{
    return rate->how == TXTAP_RATE_MEASURED && rate->low > 0;
}

/* Returns the largest possible error of the rate, relative to the rate; 0: the rate is exact. */
static inline double txtap_rate_tolerance(const struct txtap_rate *rate)
{
    double below = rate->hz - rate->low, above = rate->high - rate->hz;

    return !txtap_rate_is_inexact(rate) ? 0 : (below > above ? below : above) / rate->hz;
}

#endif
