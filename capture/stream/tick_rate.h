/* SPDX-License-Identifier: MIT */
/* How fast the clock of the time stamps runs, measured by the host's while events come. */
#ifndef TXTAP_CAPTURE_STREAM_TICK_RATE_H
#define TXTAP_CAPTURE_STREAM_TICK_RATE_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/header.h"
#include "txtap/host_time.h"
#include "txtap/txtb.h"

#define TICK_RATE_TEXT_BYTES 64

struct tick_rate {
    struct txtap_header header;
    struct txtap_clock clock;
    struct txtap_host_time time;
};

void tick_rate_init(struct tick_rate *rate, const struct txtap_header *header);

/* Another trace begins. */
void tick_rate_restart(struct tick_rate *rate, const struct txtap_header *header);

/* As a session's sink gets them: when the entries to come were written, and each of them. */
void tick_rate_window(struct tick_rate *rate, uint64_t from_us, uint64_t to_us);
void tick_rate_note(struct tick_rate *rate, const uint8_t entry[TXTB_ENTRY_BYTES]);

/*
 * The rate lies in *low..*high ticks per second. False, and both 0: it is not known, or the time source does not run
 * evenly.
 */
bool tick_rate_get(const struct tick_rate *rate, double *low_hz, double *high_hz);

/* "168.000 MHz +- 0.02 %". low_hz: above 0. */
void tick_rate_text(char text[static TICK_RATE_TEXT_BYTES], double low_hz, double high_hz);

#endif
