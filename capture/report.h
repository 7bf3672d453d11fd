/* SPDX-License-Identifier: MIT */
/* What a command says about itself: errors and the summary on standard error, the figures as JSON. */
#ifndef TXTAP_CAPTURE_REPORT_H
#define TXTAP_CAPTURE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"
#include "session.h"
#include "txtap/host_time.h"

#define REPORT_RATE_BYTES 64

/* "txtap: TEXT" on standard error. */
void report_error(const char *text);

/* The measured rate of the time stamps. False: it is not known, or the time source does not run evenly. */
bool report_take_rate(struct session_stats *stats, const struct txtap_host_time *time, const struct txtap_clock *clock);

/* "168.000 MHz +- 0.02 %". low_hz: above 0. */
void report_format_rate(char text[static REPORT_RATE_BYTES], double low_hz, double high_hz);

/* One line: events, lost, rate, bytes read per event. Nothing with --quiet. */
void report_summary(const struct options *options, const struct session_stats *stats, double seconds);

/* --stats-json: one object. Does nothing without the option. On failure says so; returns false. */
bool report_stats_json(const struct options *options, const struct session_stats *stats, double seconds);

#endif
