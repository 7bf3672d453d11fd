/* SPDX-License-Identifier: MIT */
/* How fast the clock of the time stamps runs, for "info" and the summary. */
#include "stream/tick_rate.h"

#include <stdio.h>

#include "txtap/event.h"

void tick_rate_init(struct tick_rate *rate, const struct txtap_header *header)
{
    rate->header = *header;
    txtap_clock_init(&rate->clock, header->timer_mask);
    txtap_host_time_init(&rate->time, 0);
}

void tick_rate_restart(struct tick_rate *rate, const struct txtap_header *header)
{
    rate->header = *header;
    txtap_host_time_restart(&rate->time, &rate->clock, header->timer_mask);
}

void tick_rate_window(struct tick_rate *rate, uint64_t from_us, uint64_t to_us)
{
    txtap_host_time_window(&rate->time, from_us, to_us);
}

void tick_rate_note(struct tick_rate *rate, const uint8_t entry[TXTB_ENTRY_BYTES])
{
    struct txtap_event event;

    txtap_event_parse(entry, &rate->header, &event);
    (void)txtap_host_time_unwrap(&rate->time, &rate->clock, event.stamp);
}

bool tick_rate_get(const struct tick_rate *rate, double *low_hz, double *high_hz)
{
    const unsigned no_time = TXTAP_CLOCK_CONSTANT | TXTAP_CLOCK_SIMULATED | TXTAP_CLOCK_BACKWARDS;

    if (txtap_host_time_rate(&rate->time, low_hz, high_hz) && !(txtap_clock_notices(&rate->clock) & no_time))
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
