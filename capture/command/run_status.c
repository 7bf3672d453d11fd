/* SPDX-License-Identifier: MIT */
/* The status line, and the lines about attaching and losses. */
#include "command/run_status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/files.h"
#include "output/report.h"

/* ---- the line ---- */

#define COLUMNS_DEFAULT 80
#define ERASE_LINE      "\r\033[K"

void status_line_init(struct status_line *line, bool quiet)
{
    const char *terminal = getenv("TERM");

    line->drawn = false;
    line->wanted = !quiet && isatty(STDERR_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

void status_line_draw(struct status_line *line, const char *text)
{
    struct winsize size;
    int columns = COLUMNS_DEFAULT;

    if (!line->wanted)
        return;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        columns = size.ws_col;
    status_line_erase(line);
    /* Not into the last column: some terminals would move to the next line. */
    (void)write_bytes(STDERR_FILENO, text, strnlen(text, (size_t)columns - 1));
    line->drawn = true;
}

void status_line_erase(struct status_line *line)
{
    if (line->drawn)
        (void)write_bytes(STDERR_FILENO, ERASE_LINE, strlen(ERASE_LINE));
    line->drawn = false;
}

#define SAMPLE_US 1000000 /* a rate is measured over at least this long */
#define SETTLE_US 1000000 /* from reading again to the end of the gap that it began with */

void run_status_begin(struct run_status *status, bool quiet, const struct attachment *attachment,
                      const struct poller *poller, uint64_t now_us)
{
    char source[PROBE_TEXT_BYTES], shown[PROBE_TEXT_BYTES];

    memset(status, 0, sizeof *status);
    status->quiet = quiet;
    status->advice = attachment->ring->advice;
    status->drops = !attachment->ring->laps;
    status->since.us = status->sampled_us = now_us;
    status_line_init(&status->line, quiet);
    if (attachment->ring->laps)
        status->capacity = txtap_header_ring_entries(&attachment->place.header);
    if (quiet)
        return;
    attachment->probe.kind->describe(attachment->probe.self, &attachment->config.probe, source);
    printable(shown, sizeof shown, source, strlen(source));
    if (status->capacity > 0)
        fprintf(stderr, "txtap: attached to %s: trace buffer at 0x%08" PRIx32 ", %" PRIu32 " entries, %zu %s\n", shown,
                attachment->place.address, status->capacity, poller->registry.count,
                poller->registry.count == 1 ? "object" : "objects");
    else
        fprintf(stderr, "txtap: attached to %s\n", shown);
}

static void advise(struct run_status *status, const struct stream_stats *stats, uint64_t now_us)
{
    uint64_t events, lost;
    double seconds, written, about;
    char estimate[72] = "";

    if (status->since.reconnections != stats->reconnections) {
        status->since.reconnections = stats->reconnections;
        status->since.us = now_us + SETTLE_US;
    }
    if (now_us <= status->since.us) {
        status->since.events = stats->events;
        status->since.lost = stats->lost;
        return;
    }
    events = stats->events - status->since.events;
    lost = stats->lost - status->since.lost;
    if (status->advised || status->advice == NULL || status->quiet || lost == 0 ||
        now_us - status->since.us < SAMPLE_US)
        return;
    seconds = (double)(now_us - status->since.us) / 1e6;
    written = (double)(events + lost) / seconds;
    about = stream_stats_estimate(stats, written);
    if (about > 0)
        snprintf(estimate, sizeof estimate, " (about %.0f by the time stamps of those read)", round_about(about));
    status->advised = true;
    run_status_make_room(status);
    fprintf(stderr,
            "txtap: events are lost: of %s%.0f written per second%s %.0f could be read so far: %s, enlarge its trace "
            "buffer, or use a faster probe%s\n",
            stats->lost_exact ? "" : "at least ", written, estimate, (double)events / seconds, status->advice,
            status->drops ? " (no help against events that the target drops)" : "");
}

static void sample(struct run_status *status, const struct stream_stats *stats, uint64_t now_us)
{
    uint64_t written = stats->events + stats->lost;
    char lost[REPORT_LOST_BYTES];

    report_lost(lost, stats);
    status->rate = (double)(written - status->written) * 1e6 / (double)(now_us - status->sampled_us);
    status->written = written;
    status->sampled_us = now_us;
    snprintf(status->text, sizeof status->text, "%.0f events/s, %" PRIu64 " read, %.40s", status->rate, stats->events,
             lost);
    if (status->capacity > 0) {
        size_t length = strlen(status->text);

        snprintf(status->text + length, sizeof status->text - length, ", ring up to %.0f %% unread",
                 100.0 * (double)status->unread / status->capacity);
    }
    status->unread = 0;
}

void run_status_step(struct run_status *status, const struct stream_stats *stats, bool may_draw, uint64_t now_us)
{
    bool is_new = now_us - status->sampled_us >= SAMPLE_US;

    advise(status, stats, now_us);
    if (stats->unread > status->unread)
        status->unread = stats->unread;
    if (!status->line.wanted)
        return;
    if (is_new)
        sample(status, stats, now_us);
    if (may_draw && *status->text && (is_new || !status->line.drawn))
        status_line_draw(&status->line, status->text);
}
