/* SPDX-License-Identifier: MIT */
/* The rate of the time stamps, for "info" and the summary. */
#include "stream/stream_stats.h"
#include "txtap/inner/host_time.h"

#include <stdio.h>

bool tick_rate_get(const struct txtap_event_maker *maker, double *low_hz, double *high_hz)
{
    const unsigned no_time = TXTAP_CLOCK_CONSTANT | TXTAP_CLOCK_SIMULATED | TXTAP_CLOCK_BACKWARDS;

    if (txtap_host_time_rate(&maker->host_time, low_hz, high_hz) && !(txtap_clock_notices(&maker->clock) & no_time))
        return true;
    *low_hz = *high_hz = 0;
    return false;
}

void tick_rate_text(char text[static TICK_RATE_TEXT_BYTES], double low_hz, double high_hz)
{
    double hz = (low_hz + high_hz) / 2, percent = (high_hz - low_hz) / 2 / hz * 100;
    double unit = hz >= 1e6 ? 1e6 : hz >= 1e3 ? 1e3 : 1;
    const char *name = hz >= 1e6 ? "MHz" : hz >= 1e3 ? "kHz" : "Hz";

    snprintf(text, TICK_RATE_TEXT_BYTES, "%.3f %s +- %.2g %%", hz / unit, name, percent);
}
