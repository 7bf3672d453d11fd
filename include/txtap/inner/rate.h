/* SPDX-License-Identifier: MIT */
/* Not installed: for the program txtap, its page and tests, which link txtap_core. The rate of the time
 * stamps: its error, as text, and as JSON. */
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

/* Returns the distance of the rate from the farther of its measured bounds, relative to the rate; 0: it was not
 * measured. */
static inline double txtap_rate_error(const struct txtap_rate *rate)
{
    double below = rate->hz - rate->low, above = rate->high - rate->hz;

    return rate->how == TXTAP_RATE_UNKNOWN || !(rate->low > 0) ? 0 : (below > above ? below : above) / rate->hz;
}

/* Returns the largest possible error of the rate, relative to the rate; 0: the rate is exact. */
static inline double txtap_rate_tolerance(const struct txtap_rate *rate)
{
    return txtap_rate_is_inexact(rate) ? txtap_rate_error(rate) : 0;
}

#define TXTAP_RATE_TEXT_BYTES 128

/* The functions below return text. rate: known, except in txtap_rate_json(). */

/* Writes the rate, and its tolerance if it is measured: "168.000 MHz", or "1.000 MHz +- 0.02 %". */
const char *txtap_rate_short_text(char text[static TXTAP_RATE_TEXT_BYTES], const struct txtap_rate *rate);

/* Writes "168.000 MHz, given", "168.000 MHz, SystemCoreClock, confirmed to 0.02 %", or
 * "1.000 MHz +- 0.02 %, measured". */
const char *txtap_rate_text(char text[static TXTAP_RATE_TEXT_BYTES], const struct txtap_rate *rate);

/* Writes "168.000 MHz +- 0.02 %". low_hz: above 0. */
const char *txtap_rate_bounds_text(char text[static TXTAP_RATE_TEXT_BYTES], double low_hz, double high_hz);

#define TXTAP_RATE_JSON_BYTES 128

/*
 * Writes {"hz":168000000,"how":"measured","bound":0.0002,"recorded":false}. hz is null if the rate is unknown, bound is
 * null if it was not measured. recorded: the rate comes from a recording.
 */
const char *txtap_rate_json(char text[static TXTAP_RATE_JSON_BYTES], const struct txtap_rate *rate, bool recorded);

#endif
