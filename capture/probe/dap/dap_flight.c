/* SPDX-License-Identifier: MIT */
/* How many commands are under way. */
#include "probe/dap/dap_flight.h"

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
