/* SPDX-License-Identifier: MIT */
/* The rate of the time stamps, and how it was found, as text and as JSON. */
#include "txtap/inner/rate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Writes "168.000 MHz". */
static void hz_text(char text[static TXTAP_RATE_TEXT_BYTES], double hz)
{
    double unit = hz >= 1e6 ? 1e6 : hz >= 1e3 ? 1e3 : 1;

    snprintf(text, TXTAP_RATE_TEXT_BYTES, "%.3f %s", hz / unit, hz >= 1e6 ? "MHz" : hz >= 1e3 ? "kHz" : "Hz");
}

__attribute__((format(printf, 2, 3))) static void append(char text[static TXTAP_RATE_TEXT_BYTES], const char *format,
                                                         ...)
{
    size_t length = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + length, TXTAP_RATE_TEXT_BYTES - length, format, arguments);
    va_end(arguments);
}

const char *txtap_rate_short_text(char text[static TXTAP_RATE_TEXT_BYTES], const struct txtap_rate *rate)
{
    double tolerance = txtap_rate_tolerance(rate);

    hz_text(text, rate->hz);
    if (tolerance > 0)
        append(text, " +- %.2g %%", tolerance * 100);
    return text;
}

const char *txtap_rate_text(char text[static TXTAP_RATE_TEXT_BYTES], const struct txtap_rate *rate)
{
    const double error = txtap_rate_error(rate);

    txtap_rate_short_text(text, rate);
    if (rate->how == TXTAP_RATE_GIVEN)
        append(text, ", given");
    if (rate->how == TXTAP_RATE_MEASURED)
        append(text, ", measured");
    if (rate->how == TXTAP_RATE_FIRMWARE)
        append(text, ", SystemCoreClock, confirmed");
    if (rate->how == TXTAP_RATE_FIRMWARE && error > 0)
        append(text, " to %.2g %%", error * 100);
    return text;
}

const char *txtap_rate_bounds_text(char text[static TXTAP_RATE_TEXT_BYTES], double low_hz, double high_hz)
{
    double hz = (low_hz + high_hz) / 2;

    hz_text(text, hz);
    append(text, " +- %.2g %%", (high_hz - low_hz) / 2 / hz * 100);
    return text;
}

const char *txtap_rate_json(char text[static TXTAP_RATE_JSON_BYTES], const struct txtap_rate *rate, bool recorded)
{
    static const char *const hows[] = {[TXTAP_RATE_UNKNOWN] = "unknown",
                                       [TXTAP_RATE_GIVEN] = "given",
                                       [TXTAP_RATE_MEASURED] = "measured",
                                       [TXTAP_RATE_FIRMWARE] = "SystemCoreClock"};
    const double error = txtap_rate_error(rate);
    char hz[32] = "null", bound[32] = "null";

    if (rate->how != TXTAP_RATE_UNKNOWN)
        snprintf(hz, sizeof hz, "%.12g", rate->hz);
    if (error > 0)
        snprintf(bound, sizeof bound, "%.3g", error);
    snprintf(text, TXTAP_RATE_JSON_BYTES, "{\"hz\":%s,\"how\":\"%s\",\"bound\":%s,\"recorded\":%s}", hz,
             hows[rate->how], bound, recorded && rate->how != TXTAP_RATE_UNKNOWN ? "true" : "false");
    return text;
}
