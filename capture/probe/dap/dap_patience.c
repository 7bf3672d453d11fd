/* SPDX-License-Identifier: MIT */
/* How long to wait for an answer. */
#include "probe/dap/dap_patience.h"

#define MULTIPLE 4
#define SINKS_BY 1024 /* half of it is left after 700 answers: within a second of reading */

unsigned dap_patience_ms(const struct dap_patience *patience, unsigned most_ms)
{
    uint64_t ms = (MULTIPLE * patience->longest_us + 999) / 1000;

    if (patience->longest_us == 0)
        return most_ms;
    if (ms < DAP_PATIENCE_MS_MIN)
        ms = DAP_PATIENCE_MS_MIN;
    return ms < most_ms ? (unsigned)ms : most_ms;
}

void dap_patience_answered(struct dap_patience *patience, uint64_t us)
{
    uint64_t sunk = patience->longest_us - patience->longest_us / SINKS_BY;

    patience->longest_us = us > sunk ? us : sunk;
    if (patience->longest_us == 0)
        patience->longest_us = 1;
}

void dap_patience_ended(struct dap_patience *patience, unsigned ms)
{
    dap_patience_answered(patience, UINT64_C(1000) * ms);
}
