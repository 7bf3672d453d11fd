/* SPDX-License-Identifier: MIT */
/*
 * How long to wait for a probe's answer: four times as long as the longest of the latest ones took, so that a lost one
 * costs little, and a slow probe is not given up. Pure: knows no clock.
 */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_PATIENCE_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_PATIENCE_H

#include <stdint.h>

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
