/* SPDX-License-Identifier: MIT */
/* The choice of the rate of the time stamps. */
#include "stream/stream_stats.h"

#include <criterion/criterion.h>

static void rate_is(struct txtap_rate rate, enum txtap_rate_how how, double hz)
{
    cr_assert_eq(rate.how, how, "%d", rate.how);
    cr_assert_eq(rate.hz, hz, "%g", rate.hz);
}

Test(tick_rate, the_users_rate_comes_first)
{
    rate_is(tick_rate_choose(8e6, 168e6, 167.9e6, 168.1e6), TXTAP_RATE_GIVEN, 8e6);
    rate_is(tick_rate_choose(8e6, 0, 0, 0), TXTAP_RATE_GIVEN, 8e6);
}

Test(tick_rate, the_firmwares_clock_needs_a_measurement_that_agrees)
{
    rate_is(tick_rate_choose(0, 168e6, 0, 0), TXTAP_RATE_UNKNOWN, 0);
    rate_is(tick_rate_choose(0, 168e6, 166e6, 169e6), TXTAP_RATE_FIRMWARE, 168e6);
    rate_is(tick_rate_choose(0, 168e6, 160e6, 176e6), TXTAP_RATE_UNKNOWN, 0);
    rate_is(tick_rate_choose(0, 16e6, 167.9e6, 168.1e6), TXTAP_RATE_MEASURED, 168e6);
}

Test(tick_rate, crystal_and_host_clock_may_be_a_little_wrong)
{
    double low = 100e6, high = 100.001e6;

    rate_is(tick_rate_choose(0, 99.985e6, low, high), TXTAP_RATE_FIRMWARE, 99.985e6);
    rate_is(tick_rate_choose(0, 100.019e6, low, high), TXTAP_RATE_FIRMWARE, 100.019e6);
    rate_is(tick_rate_choose(0, 99.975e6, low, high), TXTAP_RATE_MEASURED, 100e6);
    rate_is(tick_rate_choose(0, 100.025e6, low, high), TXTAP_RATE_MEASURED, 100e6);
}

Test(tick_rate, a_measured_rate_is_the_roundest_number_within_close_bounds)
{
    rate_is(tick_rate_choose(0, 0, 167.9e6, 168.2e6), TXTAP_RATE_MEASURED, 168e6);
    rate_is(tick_rate_choose(0, 0, 32761, 32771), TXTAP_RATE_MEASURED, 32770);
    rate_is(tick_rate_choose(0, 0, 32767.6, 32768.4), TXTAP_RATE_MEASURED, 32768);
}

Test(tick_rate, a_measured_rate_is_used_with_bounds_up_to_5_percent_apart)
{
    rate_is(tick_rate_choose(0, 0, 0.997e6, 1.0032e6), TXTAP_RATE_MEASURED, 1e6);
    rate_is(tick_rate_choose(0, 0, 0.976e6, 1.024e6), TXTAP_RATE_MEASURED, 1e6);
    rate_is(tick_rate_choose(0, 0, 0.97e6, 1.03e6), TXTAP_RATE_UNKNOWN, 0);
}
