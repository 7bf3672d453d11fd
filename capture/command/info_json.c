/* SPDX-License-Identifier: MIT */
/* The figures of info as JSON. */
#include "command/info.h"

#include <stdio.h>

#define NUMBER_BYTES 24

static const char *number(char text[static NUMBER_BYTES], double value)
{
    if (value < 0)
        return "null";
    snprintf(text, NUMBER_BYTES, "%.6g", value);
    return text;
}

void info_figures_json(char text[static REPORT_MORE_BYTES], const struct info_figures *figures)
{
    static const char *const laps[] = {
        [TXTAP_LAPS_UNKNOWN] = "null", [TXTAP_LAPS_NONE] = "false", [TXTAP_LAPS_COUNTED] = "true"};
    char numbers[7][NUMBER_BYTES];
    const char *exact = figures->exact ? "true" : "false";

    if (figures->event_rate < 0)
        exact = "null";
    snprintf(text, REPORT_MORE_BYTES,
             ",\"event_rate\":%s,\"event_rate_exact\":%s,\"probe_bytes_per_second\":%s,\"probe_events_per_second\":%s"
             ",\"ring_seconds\":%s,\"headroom\":%s,\"objects\":%s,\"laps_counted\":%s,\"byte_rate\":%s",
             number(numbers[0], figures->event_rate), exact, number(numbers[1], figures->probe_bytes),
             number(numbers[2], figures->probe_events), number(numbers[3], figures->ring_seconds),
             number(numbers[4], figures->headroom), number(numbers[5], figures->objects), laps[figures->laps],
             number(numbers[6], figures->byte_rate));
}
