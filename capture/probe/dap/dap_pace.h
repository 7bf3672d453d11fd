/* SPDX-License-Identifier: MIT */
/*
 * How many commands to a probe are under way, and how long to wait for an answer. Pure: knows no clock.
 *
 * Commands under way: as many as it queues, while a self-test and each answer since
 * show them whole and in order; else one, and a pause of good answers until the next self-test. The pause gets longer
 * each time that the probe falls back soon, so that one which cannot queue commands is hardly ever tried, and one that
 * was disturbed is fast again in a second.
 *
 * Patience: four times as long as the longest of the latest answers took, so that a lost one costs little, and a slow
 * probe is not given up.
 */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_PACE_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define DAP_FLIGHT_PAUSE     1000   /* answers; doubles */
#define DAP_FLIGHT_PAUSE_MAX 256000 /* minutes */
#define DAP_FLIGHT_SOON      4      /* pauses: falling back after more good answers begins with the first pause */

struct dap_flight {
    unsigned now, most; /* commands; most: that the probe queues, or txtap */
    uint32_t good;      /* answers in a row, since `now` changed or one was wrong */
    uint32_t pause;
};

/* One at a time, and at once due for a self-test if most is above 1. */
void dap_flight_init(struct dap_flight *flight, unsigned most);

/* An answer was right. */
void dap_flight_good(struct dap_flight *flight);

/* The self-test is to be made: dap_flight_begin() sends as many as possible. */
bool dap_flight_is_due(const struct dap_flight *flight);
void dap_flight_begin(struct dap_flight *flight);

/* An answer was not one to its command. */
void dap_flight_fall_back(struct dap_flight *flight);

#define DAP_PATIENCE_MS_MIN 50 /* a host, or the bus, may be busy with something else for a moment */

struct dap_patience {
    uint64_t longest_us; /* it sinks with each answer; 0: none has come yet */
};

/* At least DAP_PATIENCE_MS_MIN, and at most most_ms, which it is until the first answer has come. */
unsigned dap_patience_ms(const struct dap_patience *patience, unsigned most_ms);

/* An answer came, after that time. */
void dap_patience_answered(struct dap_patience *patience, uint64_t us);

/* None came in that time: the next one gets four times as long. */
void dap_patience_ended(struct dap_patience *patience, unsigned ms);

#endif
