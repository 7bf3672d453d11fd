/* SPDX-License-Identifier: MIT */
/* How fast the clock of the time stamps runs, measured by the host's clock while events come. */
#ifndef TXTAP_CAPTURE_STREAM_TICK_RATE_H
#define TXTAP_CAPTURE_STREAM_TICK_RATE_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/event_maker.h"

#define TICK_RATE_TEXT_BYTES 64

/*
 * The rate is between *low_hz and *high_hz ticks per second. False: it is not known, or the time source does not run
 * evenly; both are 0.
 */
bool tick_rate_get(const struct txtap_event_maker *maker, double *low_hz, double *high_hz);

/* "168.000 MHz +- 0.02 %". low_hz: above 0. */
void tick_rate_text(char text[static TICK_RATE_TEXT_BYTES], double low_hz, double high_hz);

#endif
