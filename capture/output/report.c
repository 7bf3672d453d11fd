/* SPDX-License-Identifier: MIT */
/* Messages of a command: errors, the summary, --stats-json. */
#include "output/report.h"

#include <inttypes.h>
#include <stdio.h>

#include "output/output.h"
#include "stream/stream_stats.h"

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

void report_loss(char text[static REPORT_LOSS_BYTES], const struct stream_stats *stats)
{
    char lost[REPORT_LOST_BYTES], estimate[48] = "", gaps[48] = "", unseen[64] = "", resets[80] = "";

    report_lost(lost, stats);
    if (!stats->lost_exact && knows_estimate(stats) && stats->lost_estimate > stats->lost)
        snprintf(estimate, sizeof estimate, " (by their rate %" PRIu64 ")", stats->lost_estimate);
    if (stats->gaps > 0 || stats->lost_exact)
        snprintf(gaps, sizeof gaps, " in %" PRIu64 " gap%s", stats->gaps, plural(stats->gaps));
    if (stats->unseen)
        snprintf(unseen, sizeof unseen, " (time stamps stand still: events may be lost undetected)");
    if (stats->resets > 0)
        snprintf(resets, sizeof resets, " (events written around %" PRIu64 " reset%s are unknown)", stats->resets,
                 plural(stats->resets));
    snprintf(text, REPORT_LOSS_BYTES, "%s%s%s%s%s", lost, estimate, gaps, unseen, resets);
}

void report_without_names(uint32_t addresses)
{
    if (addresses > 0)
        fprintf(stderr,
                "txtap: %" PRIu32 " address%s without a name: TraceX uses one name for all events of a file, and no "
                "name is certain for all of them\n",
                addresses, addresses == 1 ? "" : "es");
}

static void put_written(char *text, size_t bytes, const struct stream_stats *stats, double per_second)
{
    double about = stream_stats_estimate(stats, per_second);
    char estimate[72] = "";

    if (about > 0)
        snprintf(estimate, sizeof estimate, " (about %.0f by the time stamps of the events read)", round_about(about));
    snprintf(text, bytes, ", %s%.0f written per second%s", stats->lost_exact ? "" : "at least ", per_second, estimate);
}

void report_summary(const struct stream_stats *stats, double seconds)
{
    struct txtap_rate chosen;
    char per_event[64] = "", loss[REPORT_LOSS_BYTES], hz[TICK_RATE_TEXT_BYTES], rate[128] = "", written[128] = "";

    if (stats->written > 0 && seconds >= RATE_SECONDS)
        put_written(written, sizeof written, stats, (double)stats->written / seconds);
    if (stats->events > 0)
        snprintf(per_event, sizeof per_event, ", %.1f bytes read per event",
                 (double)stats->bytes_read / (double)stats->events);
    report_loss(loss, stats);
    if (stats->tick_hz_low > 0) {
        tick_rate_text(hz, stats->tick_hz_low, stats->tick_hz_high);
        chosen = tick_rate_choose(0, stats->core_clock_hz, stats->tick_hz_low, stats->tick_hz_high);
        snprintf(rate, sizeof rate, ", ticks at %s (measured%s)", hz,
                 chosen.how == TXTAP_RATE_FIRMWARE ? "; SystemCoreClock agrees" : "");
    }
    fprintf(stderr, "txtap: %" PRIu64 " event%s in %.1f s%s, %s%s, %" PRIu64 " poll%s%s\n", stats->events,
            plural(stats->events), seconds, written, loss, per_event, stats->polls, plural(stats->polls), rate);
}

bool report_stats_json(const char *path, const char *command, const struct stream_stats *stats, double seconds,
                       const char *more)
{
    double per_second = seconds > 0 ? (double)stats->written / seconds : 0,
           about = stream_stats_estimate(stats, per_second);
    char estimate[24] = "null", event_rate[24] = "null";
    char text[968 + REPORT_MORE_BYTES], rate[128] = "\"tick_hz\":null,\"tick_hz_low\":null,\"tick_hz_high\":null";
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
        "{\"command\":\"%s\",\"events\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"lost_exact\":%s,\"lost_estimate\":%s"
        ",\"gaps\":%" PRIu64 ",\"polls\":%" PRIu64 ",\"requests\":%" PRIu64 ",\"bytes_read\":%" PRIu64
        ",\"unread_max\":%" PRIu64 ",\"resets\":%" PRIu64 ",\"reconnections\":%" PRIu64
        ",\"seconds\":%.6f,%s,\"lost_unseen\":%s,\"written\":%" PRIu64 ",\"written_per_second\":%.6g"
        ",\"event_rate_estimate\":%s,\"undecided\":%" PRIu64 "%s}\n",
        command, stats->events, stats->lost, stats->lost_exact ? "true" : "false", estimate, stats->gaps, stats->polls,
        stats->requests, stats->bytes_read, stats->unread_max, stats->resets, stats->reconnections, seconds, rate,
        stats->unseen ? "true" : "false", stats->written, per_second, event_rate, stats->undecided, more);
    if (output_whole_file(path, text, (size_t)length, true, &error) == TXTAP_OK)
        return true;
    report_error(&error);
    return false;
}
