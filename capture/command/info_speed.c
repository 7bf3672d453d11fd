/* SPDX-License-Identifier: MIT */
/* How fast the probe reads, for info: bytes, and the events per second that can be followed. */
#include "command/info.h"

#include <stdio.h>

#include "base/runtime.h"
#include "stream/txtb_reader.h"

#define NUMBER_BYTES 24
#define PROBE_US     300000 /* how long the probe's speed is measured */
#define PROBE_BYTES  4096u
#define LIVE_BYTES   20u /* of the header: laps to pointer */

enum txtap_status info_measure_probe(struct session *session, uint32_t address, uint32_t bytes,
                                     double *bytes_per_second, char error[static ERROR_TEXT_BYTES])
{
    uint32_t length = bytes < PROBE_BYTES ? bytes & ~3u : PROBE_BYTES;
    uint8_t buffer[PROBE_BYTES];
    uint64_t begin = session->now_us(), total = 0;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && (total == 0 || session->now_us() - begin < PROBE_US) && !stop_requested()) {
        status = session_read(session, address, length, buffer, error);
        total += length;
    }
    *bytes_per_second = (double)total / ((double)(session->now_us() - begin + 1) / 1e6);
    return status;
}

/* So many entries, and what is read beside them to know which of them stand. */
static enum txtap_status exchange(struct session *session, uint32_t entries, uint8_t *buffer,
                                  char error[static ERROR_TEXT_BYTES])
{
    uint8_t live[LIVE_BYTES], laps[4], guard[TXTAP_RING_GUARD_BYTES], wrap[4];
    const struct txtap_read reads[] = {
        {session->header.ring_start, entries * TXTB_ENTRY_BYTES, buffer},
        {session->header.ring_start, sizeof wrap, wrap}, /* entries that pass the ring's end are two reads */
        {session->address + TXTB_HEADER_LAPS, sizeof live, live},
        {session->address + TXTB_HEADER_LAPS, sizeof laps, laps},
        {session->header.ring_start, sizeof guard, guard},
    };

    return session_exchange(session, reads, sizeof reads / sizeof *reads, error);
}

/*
 * What one exchange reads was written during the one before, and as much is written meanwhile: together no more than
 * the ring. So half a ring at a time is the most that helps; a slow probe reads less, to stay responsive.
 */
enum txtap_status info_measure_follow(struct session *session, double *bytes_per_second, double *events_per_second,
                                      char error[static ERROR_TEXT_BYTES])
{
    uint32_t half = session->txtb.ring.entries / 2;
    uint32_t most = half < session->txtb.entries_capacity ? half : session->txtb.entries_capacity;
    uint32_t entries = most < TXTB_READER_FIRST_ENTRIES ? most : TXTB_READER_FIRST_ENTRIES, before = 0;
    uint64_t begin = session->now_us(), took = 0, count = 0;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && (count == 0 || session->now_us() - begin < PROBE_US) && !stop_requested()) {
        uint64_t since = session->now_us();

        if (entries != before) /* those before were of another size */
            took = count = 0;
        before = entries;
        status = exchange(session, entries, session->txtb.entries, error);
        took += session->now_us() - since;
        count++;
        entries = txtb_reader_adapt(entries, most, session->now_us() - since);
    }
    *events_per_second = (double)count * before / ((double)(took + 1) / 1e6);
    *bytes_per_second = *events_per_second * TXTB_ENTRY_BYTES;
    return status;
}

/* As a reader of that ring makes them: docs/FORMAT.md. Words that pass the ring's end are two reads. */
static enum txtap_status exchange_words(struct session *session, const struct txtap_logger_place *place, uint32_t words,
                                        uint8_t *buffer, char error[static ERROR_TEXT_BYTES])
{
    uint8_t wrap[4], ring[TXTAP_LOGGER_RING_BYTES], head[4], before[4 * TXTAP_LOGGER_GUARD_WORDS],
        after[4 * TXTAP_LOGGER_GUARD_WORDS];
    uint32_t counts = place->totals != 0 ? place->totals : place->buffer; /* or the guard, which is in the ring */
    uint32_t bytes = place->totals == 0 ? 4 : place->counts_events ? TXTAP_LOGGER_TOTALS_BYTES : 8;
    const struct txtap_read reads[] = {
        {place->buffer, 4 * words, buffer}, {place->buffer, sizeof wrap, wrap}, {counts, bytes, before},
        {place->ring, sizeof ring, ring},   {place->ring, sizeof head, head},   {counts, bytes, after},
    };

    return session_exchange(session, reads, sizeof reads / sizeof *reads, error);
}

enum txtap_status info_measure_words(struct session *session, const struct txtap_logger_place *place, uint8_t *buffer,
                                     double *bytes_per_second, char error[static ERROR_TEXT_BYTES])
{
    uint32_t room = session->source.ops->read_bytes_max / 8, half = place->size / 2;
    uint32_t words = half < room ? half : room;
    uint64_t begin = session->now_us(), count = 0;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && (count == 0 || session->now_us() - begin < PROBE_US) && !stop_requested()) {
        status = exchange_words(session, place, words, buffer, error);
        count++;
    }
    *bytes_per_second = 4.0 * (double)count * words / ((double)(session->now_us() - begin + 1) / 1e6);
    return status;
}

/* ---- as JSON ---- */

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
        [INFO_LAPS_UNKNOWN] = "null", [INFO_LAPS_UNCOUNTED] = "false", [INFO_LAPS_COUNTED] = "true"};
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
