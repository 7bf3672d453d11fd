/* SPDX-License-Identifier: MIT */
/* The rate of the time stamps, for "info" and the summary. */
#include "stream/stream_stats.h"

#include <math.h>

#include "txtap/inner/host_time.h"

bool tick_rate_get(const struct txtap_event_maker *maker, double *low_hz, double *high_hz)
{
    const unsigned no_time = TXTAP_CLOCK_CONSTANT | TXTAP_CLOCK_SIMULATED | TXTAP_CLOCK_BACKWARDS;

    if (txtap_host_time_rate(&maker->host_time, low_hz, high_hz) && !(txtap_clock_notices(&maker->clock) & no_time))
        return true;
    *low_hz = *high_hz = 0;
    return false;
}

/* Returns the number with the fewest digits between the bounds of a measured rate, because the rates of clocks are
 * round numbers. 0: the bounds are too far apart. */
static double roundest(double low, double high)
{
    double middle = (low + high) / 2;

    if (!(low > 0) || high - low > middle * TICK_RATE_KNOWN)
        return 0;
    for (double unit = pow(10, floor(log10(middle))); unit >= 1; unit /= 10) {
        double round = unit * nearbyint(middle / unit);

        if (round >= low && round <= high)
            return round;
    }
    return middle;
}

struct txtap_rate tick_rate_choose(double given_hz, double clock_hz, double low_hz, double high_hz)
{
    struct txtap_rate rate = {.hz = given_hz, .low = low_hz, .high = high_hz};

    if (given_hz > 0 && given_hz <= TXTAP_RATE_HZ_MAX) {
        rate.how = TXTAP_RATE_GIVEN;
    } else if (clock_hz > 0 && low_hz > 0 && high_hz - low_hz <= low_hz * TICK_RATE_KNOWN &&
               clock_hz >= low_hz * (1 - TICK_RATE_ALLOWANCE) && clock_hz <= high_hz * (1 + TICK_RATE_ALLOWANCE)) {
        rate.how = TXTAP_RATE_FIRMWARE;
        rate.hz = clock_hz;
    } else if ((rate.hz = roundest(low_hz, high_hz)) > 0) {
        rate.how = TXTAP_RATE_MEASURED;
    } else {
        rate = (struct txtap_rate){.how = TXTAP_RATE_UNKNOWN};
    }
    return rate;
}
