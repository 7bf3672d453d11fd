/* SPDX-License-Identifier: MIT */
/* How fast the probe reads, for info: bytes, and the events per second that can be followed. */
#include "info.h"

#include "session_txtb.h"
#include "world.h"

#define PROBE_US    300000 /* how long the probe's speed is measured */
#define PROBE_BYTES 4096u
#define LIVE_BYTES  20u /* of the header: laps to pointer */

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
    uint32_t half = session->ring.entries / 2;
    uint32_t most = half < session->entries_capacity ? half : session->entries_capacity;
    uint32_t entries = most < SESSION_FIRST_ENTRIES ? most : SESSION_FIRST_ENTRIES, before = 0;
    uint64_t begin = session->now_us(), took = 0, count = 0;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && (count == 0 || session->now_us() - begin < PROBE_US) && !stop_requested()) {
        uint64_t since = session->now_us();

        if (entries != before) /* those before were of another size */
            took = count = 0;
        before = entries;
        status = exchange(session, entries, session->entries, error);
        took += session->now_us() - since;
        count++;
        entries = session_txtb_adapt(entries, most, session->now_us() - since);
    }
    *events_per_second = (double)count * before / ((double)(took + 1) / 1e6);
    *bytes_per_second = *events_per_second * TXTB_ENTRY_BYTES;
    return status;
}
