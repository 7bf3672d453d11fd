/* SPDX-License-Identifier: MIT */
/* How many commands are under way. */
#include "probe/dap/dap_pace.h"

void dap_flight_init(struct dap_flight *flight, unsigned most)
{
    *flight = (struct dap_flight){.now = 1, .most = most};
}

void dap_flight_good(struct dap_flight *flight)
{
    if (flight->good < UINT32_MAX)
        flight->good++;
}

bool dap_flight_is_due(const struct dap_flight *flight)
{
    return flight->now < flight->most && flight->good >= flight->pause;
}

void dap_flight_begin(struct dap_flight *flight)
{
    flight->now = flight->most;
    flight->good = 0;
}

void dap_flight_fall_back(struct dap_flight *flight)
{
    bool soon = flight->good / DAP_FLIGHT_SOON < flight->pause;

    if (flight->now > 1)
        flight->pause = soon ? 2 * flight->pause : DAP_FLIGHT_PAUSE;
    if (flight->pause > DAP_FLIGHT_PAUSE_MAX)
        flight->pause = DAP_FLIGHT_PAUSE_MAX;
    flight->now = 1;
    flight->good = 0;
}

/* ---- patience ---- */

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
