/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

#include "output.h"

void report_error(const char *text)
{
    fprintf(stderr, "txtap: %s\n", text);
}

void report_summary(const struct options *options, const struct session_stats *stats, double seconds)
{
    char per_event[64] = "", resets[32] = "";

    if (options->quiet)
        return;
    if (stats->events > 0)
        snprintf(per_event, sizeof per_event, ", %.1f bytes read per event",
                 (double)stats->bytes_read / (double)stats->events);
    if (stats->resets > 0)
        snprintf(resets, sizeof resets, ", %" PRIu64 " %s", stats->resets, stats->resets == 1 ? "reset" : "resets");
    fprintf(stderr,
            "txtap: %" PRIu64 " events in %.1f s (%.0f/s), %s%" PRIu64 " lost in %" PRIu64 " gaps%s, %" PRIu64
            " polls%s\n",
            stats->events, seconds, (double)stats->events / seconds,
            stats->lost_exact || stats->lost == 0 ? "" : "at least ", stats->lost, stats->gaps, per_event, stats->polls,
            resets);
}

bool report_stats_json(const struct options *options, const struct session_stats *stats, double seconds)
{
    char text[512], error[ERROR_TEXT_BYTES];
    int length;

    if (!options->stats_json)
        return true;
    length =
        snprintf(text, sizeof text,
                 "{\"command\":\"%s\",\"events\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"lost_exact\":%s,\"gaps\":%" PRIu64
                 ",\"polls\":%" PRIu64 ",\"requests\":%" PRIu64 ",\"bytes_read\":%" PRIu64 ",\"unread_max\":%" PRIu64
                 ",\"resets\":%" PRIu64 ",\"reconnections\":%" PRIu64 ",\"seconds\":%.6f}\n",
                 options->command->name, stats->events, stats->lost, stats->lost_exact ? "true" : "false", stats->gaps,
                 stats->polls, stats->requests, stats->bytes_read, stats->unread_max, stats->resets,
                 stats->reconnections, seconds);
    if (output_whole_file(options->stats_json, text, (size_t)length, true, error) == TXTAP_OK)
        return true;
    report_error(error);
    return false;
}
