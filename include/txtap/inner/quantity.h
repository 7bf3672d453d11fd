/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Numbers with their units, as people read them.
 */
#ifndef TXTAP_INNER_QUANTITY_H
#define TXTAP_INNER_QUANTITY_H

#include "txtap/figure.h"

#define QUANTITY_SHORT_BYTES 32

/* Returns the value, or the bound next to it. The value of a maximum is the largest complete sample; its lower bound
 * also includes samples that a gap or the end of the trace cuts off, such as the job of a thread in a deadlock. */
static inline double txtap_measure_seen(const struct txtap_measure *measure)
{
    return measure->value < measure->lower   ? measure->lower
           : measure->value > measure->upper ? measure->upper
                                             : measure->value;
}

/*
 * Writes a number: "25.1ms", "12", "41.20%", "7". A time in ticks has no unit: tick_hz 0, or a time of 0. Bytes and
 * counts have no unit either. Returns out.
 */
char *quantity_short(char out[static QUANTITY_SHORT_BYTES], double number, enum txtap_unit unit, double tick_hz);

#define PLACE_BYTES 80

/* Writes "event 1234 at 0.500000 s"; with an unknown rate "event 1234 at tick 5000". place: known. Returns out. */
char *place_text(char out[static PLACE_BYTES], const struct txtap_place *place, double tick_hz);

#endif
