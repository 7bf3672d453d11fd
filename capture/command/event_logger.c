/* SPDX-License-Identifier: MIT */
/* "txtap snapshot" and "decode" for the event logger's ring. */
#include "command/event_logger.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "attach/attach.h"
#include "base/runtime.h"
#include "command/live.h"
#include "file/memory_file.h"
#include "output/output.h"
#include "output/printer.h"
#include "output/report.h"
#include "output/trx_files.h"
#include "ring/event_logger_reader.h"

#define LIMIT_US 10000000 /* for a target that writes faster than it can be read */

/* Up to what was written when it was looked at first. */
static enum txtap_status read_all(struct session *session, char error[static ERROR_TEXT_BYTES])
{
    const struct txtap_logger_ring *ring = logger_ring_of(session);
    uint64_t deadline = now_us() + LIMIT_US, until = 0;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && !stop_requested() && now_us() < deadline && (until == 0 || ring->next < until)) {
        status = session_step(session, error);
        if (until == 0 && ring->sampled &&
            (ring->place.totals != 0 || ring->guard_count > 0 || ring->from == TXTAP_LOGGER_AT_REST))
            until = ring->head.position;
        if (status == TXTAP_OK && ring->next < until)
            sleep_us(session_delay_us(session));
    }
    if (status == TXTAP_OK)
        status = session_finish(session, until);
    return status;
}

/* One look at the ring through a printer, which may write a file for TraceX. */
static enum txtap_status print_all(const struct options *options, const struct session_place *place, bool live,
                                   struct session_stats *stats, char error[static ERROR_TEXT_BYTES])
{
    static struct printer printer;
    static struct recording_trx trx;
    static struct session session;
    const struct session_settings settings = {
        .from = live ? TXTAP_RING_FROM_OLDEST : TXTAP_RING_AT_REST,
        .now_us = now_us,
        .unix_us = wall_us,
        .tick_hz = options->tick_hz,
    };
    enum txtap_status status = recording_trx_open_printer(&trx, &printer, options, error);

    if (status != TXTAP_OK)
        return status;
    status = session_init(&session, place, &settings, printer_sink(&printer), error);
    if (status == TXTAP_OK) {
        status = printer_begin(&printer, &session.header, &session.registry);
        if (status == TXTAP_OK)
            status = read_all(&session, error);
        *stats = session.stats;
    }
    if (status == TXTAP_ERROR_SYSTEM && !*error && !*trx.error)
        failure(error, status, "%s: cannot be written: %s", printer.output.name, strerror(errno));
    status = printer_close(&printer, status, error);
    if (status < TXTAP_OK && !*error && *trx.error)
        failure(error, status, "%s", trx.error);
    printer_warn(&printer, options, &session.maker);
    session_free(&session);
    recording_trx_free(&trx);
    return status;
}

/* ---- snapshot ---- */

static int take_snapshot(const struct options *options, struct attachment *attachment,
                         char error[static ERROR_TEXT_BYTES])
{
    const struct session_place place = attach_place(attachment);
    struct options as_trx = *options;
    struct session_stats stats = {.lost_exact = true};
    uint64_t begin = now_us();
    enum txtap_status status;

    as_trx.format = "trx";
    as_trx.quiet = true;
    txtap_filter_init(&as_trx.filter.filter); /* which snapshot has no options for */
    status = print_all(&as_trx, &place, attachment->live, &stats, error);
    attach_account(attachment, &stats);
    if (status < TXTAP_OK && stats.events == 0 && stats.polls > 0 && status == TXTAP_ERROR_FORMAT)
        failure(
            error, status,
            "event logger at 0x%08" PRIx32
            ": the collector has already drained the ring: nothing was written; 'txtap tail' sees them as they come",
            attachment->place.address);
    if (status < TXTAP_OK)
        return EXIT_FAILED;
    if (stats.lost > 0)
        fprintf(stderr,
                "txtap: %s: %s%" PRIu64 " event%s missing: dropped by the target, or overwritten before they were "
                "read\n",
                options->output, stats.lost_exact ? "" : "at least ", stats.lost, stats.lost == 1 ? " is" : "s are");
    if (!options->quiet)
        fprintf(stderr, "txtap: %s: %" PRIu64 " event%s; %" PRIu64 " bytes read\n", options->output, stats.events,
                plural(stats.events), stats.bytes_read);
    if (!report_stats_json(options, &stats, (double)(now_us() - begin) / 1e6))
        return EXIT_FAILED;
    return options->strict && stats.lost > 0 ? EXIT_LOST : EXIT_DONE;
}

int logger_snapshot(const struct options *options)
{
    return live_command(options, take_snapshot);
}

/* ---- decode ---- */

enum txtap_status logger_decode(const struct options *options, struct input *input, struct session_stats *stats,
                                char error[static ERROR_TEXT_BYTES])
{
    static struct attachment attachment; /* of a file instead of a target */
    static struct memory_file memory;
    enum txtap_status status = attach_file(options, &attachment, &memory, input, error);
    struct session_place place;

    if (status != TXTAP_OK)
        return status;
    place = attach_place(&attachment);
    status = print_all(options, &place, false, stats, error);
    stats->bytes_read = memory.file.length;
    attach_close(&attachment);
    return status == TXTAP_END ? TXTAP_OK : status;
}
