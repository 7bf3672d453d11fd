/* SPDX-License-Identifier: MIT */
/* Messages of a command: errors, the summary, --stats-json. */
#include "output/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "output/output.h"
#include "stream/stream_stats.h"
#include "txtap/inner/json_head.h"
#include "txtap/inner/rate.h"

#define RATE_SECONDS 0.5 /* a rate over a shorter time is useless */

void report_notes(const struct reading_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        report_error(&notes->at[i]);
    if (notes->more > 0)
        fprintf(stderr, "txtap: and %zu more line%s like these\n", notes->more, plural(notes->more));
}

/* Returns true if the gaps without an estimate are so small that the sum is wrong by at most a factor of two. */
static bool knows_estimate(const struct stream_stats *stats)
{
    return !stats->unseen && stats->excess <= stats->lost_estimate;
}

void report_lost(char text[static REPORT_LOST_BYTES], const struct stream_stats *stats)
{
    if (stats->lost > 0 || stats->lost_exact)
        snprintf(text, REPORT_LOST_BYTES, "%s%" PRIu64 " lost", stats->lost_exact ? "" : "at least ", stats->lost);
    else
        snprintf(text, REPORT_LOST_BYTES, "%s", stats->gaps > 0 ? "an unknown number lost" : "none known to be lost");
}

/* Adds a clause to a text, after a semicolon if the text has one already. */
static void add_clause(char text[static REPORT_DOUBTS_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add_clause(char text[static REPORT_DOUBTS_BYTES], const char *format, ...)
{
    size_t used = strlen(text);
    va_list values;

    used += (size_t)snprintf(text + used, REPORT_DOUBTS_BYTES - used, "%s", used > 0 ? "; " : "");
    va_start(values, format);
    vsnprintf(text + used, REPORT_DOUBTS_BYTES - used, format, values);
    va_end(values);
}

void report_doubts(char text[static REPORT_DOUBTS_BYTES], const struct stream_stats *stats, double per_second)
{
    double about = stream_stats_estimate(stats, per_second);

    text[0] = '\0';
    if (about > 0)
        add_clause(text, "about %.0f events per second by the time stamps of the events read", round_about(about));
    if (!stats->lost_exact && knows_estimate(stats) && stats->lost_estimate > stats->lost)
        add_clause(text, "about %" PRIu64 " events lost by their rate", stats->lost_estimate);
    if (stats->unseen)
        add_clause(text, "time stamps stand still: events may be lost undetected");
    if (stats->resets > 0)
        add_clause(text, "events written around %" PRIu64 " reset%s are unknown", stats->resets, plural(stats->resets));
}

void report_without_names(uint32_t addresses)
{
    if (addresses > 0)
        fprintf(stderr,
                "txtap: %" PRIu32 " address%s without a name: TraceX uses one name for all events of a file, and no "
                "name is certain for all of them\n",
                addresses, addresses == 1 ? "" : "es");
}

/* Prints the figures that are interesting for tests of txtap and of probes. */
static void report_details(const struct stream_stats *stats)
{
    char per_event[64] = "", hz[TXTAP_RATE_TEXT_BYTES], rate[TXTAP_RATE_TEXT_BYTES + 48] = "";

    if (stats->events > 0)
        snprintf(per_event, sizeof per_event, "%.1f bytes read per event, ",
                 (double)stats->bytes_read / (double)stats->events);
    if (stats->tick_hz_low > 0) {
        txtap_rate_bounds_text(hz, stats->tick_hz_low, stats->tick_hz_high);
        snprintf(rate, sizeof rate, ", ticks at %s (measured%s)", hz,
                 stats->rate.how == TXTAP_RATE_FIRMWARE ? "; SystemCoreClock agrees" : "");
    }
    fprintf(stderr, "txtap: %s%" PRIu64 " poll%s, %" PRIu64 " gap%s%s\n", per_event, stats->polls, plural(stats->polls),
            stats->gaps, plural(stats->gaps), rate);
}

void report_summary(const struct stream_stats *stats, double seconds, bool details)
{
    double per_second = stats->written > 0 && seconds >= RATE_SECONDS ? (double)stats->written / seconds : 0;
    char lost[REPORT_LOST_BYTES], doubts[REPORT_DOUBTS_BYTES], rate[48] = "";

    if (per_second > 0)
        snprintf(rate, sizeof rate, " (%s%.0f/s)", stats->lost_exact ? "" : "at least ", per_second);
    report_lost(lost, stats);
    report_doubts(doubts, stats, per_second);
    fprintf(stderr, "txtap: %" PRIu64 " event%s in %.1f s%s, %s\n", stats->events, plural(stats->events), seconds, rate,
            lost);
    if (doubts[0] != '\0')
        fprintf(stderr, "txtap: %s\n", doubts);
    if (details)
        report_details(stats);
}

bool report_stats_json(const char *path, const char *command, const struct stream_stats *stats, double seconds,
                       const char *more)
{
    double per_second = seconds > 0 ? (double)stats->written / seconds : 0,
           about = stream_stats_estimate(stats, per_second);
    char estimate[24] = "null", event_rate[24] = "null";
    char text[968 + TXTAP_JSON_HEAD_BYTES + TXTAP_RATE_JSON_BYTES + REPORT_MORE_BYTES], head[TXTAP_JSON_HEAD_BYTES],
        shown[TXTAP_RATE_JSON_BYTES], rate[128] = "\"tick_hz\":null,\"tick_hz_low\":null,\"tick_hz_high\":null";
    struct error error;
    int length;

    if (path == NULL)
        return true;
    if (stats->tick_hz_low > 0)
        snprintf(rate, sizeof rate, "\"tick_hz\":%.12g,\"tick_hz_low\":%.12g,\"tick_hz_high\":%.12g",
                 (stats->tick_hz_low + stats->tick_hz_high) / 2, stats->tick_hz_low, stats->tick_hz_high);
    if (stats->lost_exact || knows_estimate(stats))
        snprintf(estimate, sizeof estimate, "%" PRIu64, stats->lost_estimate);
    if (about > 0)
        snprintf(event_rate, sizeof event_rate, "%.0f", round_about(about));
    length = snprintf(
        text, sizeof text,
        "{%s,\"command\":\"%s\",\"events\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"lost_exact\":%s,\"lost_estimate\":%s"
        ",\"gaps\":%" PRIu64 ",\"polls\":%" PRIu64 ",\"requests\":%" PRIu64 ",\"bytes_read\":%" PRIu64
        ",\"unread_max\":%" PRIu64 ",\"resets\":%" PRIu64 ",\"reconnections\":%" PRIu64
        ",\"seconds\":%.6f,%s,\"rate\":%s,\"lost_unseen\":%s,\"written\":%" PRIu64 ",\"written_per_second\":%.6g"
        ",\"event_rate_estimate\":%s,\"undecided\":%" PRIu64 "%s}\n",
        txtap_json_head(head, TXTAP_SCHEMA_STATS), command, stats->events, stats->lost,
        stats->lost_exact ? "true" : "false", estimate, stats->gaps, stats->polls, stats->requests, stats->bytes_read,
        stats->unread_max, stats->resets, stats->reconnections, seconds, rate,
        txtap_rate_json(shown, &stats->rate, stats->rate_recorded), stats->unseen ? "true" : "false", stats->written,
        per_second, event_rate, stats->undecided, more);
    if (output_whole_file(path, text, (size_t)length, true, &error) == TXTAP_OK)
        return true;
    report_error(&error);
    return false;
}
