/* SPDX-License-Identifier: MIT */
/* Reads a ring once, even while the target writes to it. */
#include "command/read_ring.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/runtime.h"
#include "output/outlet.h"

#define LIMIT_US 10000000 /* time limit, in case the target writes faster than the probe can read */

void read_ring_count_loss(struct stream_stats *stats)
{
    stream_stats_count(stats, &(struct txtap_item){.kind = TXTAP_ITEM_GAP, .gap = {.lost = 1, .exact = false}});
}

/* Reads all entries that were in the ring at the first read. *until: the ring's head at the first read; UINT64_MAX if
 * nothing was read. */
static enum txtap_status read_all(struct poller *poller, uint64_t *until, struct error *error)
{
    uint64_t deadline = now_us() + LIMIT_US;
    enum txtap_status status = TXTAP_OK;
    bool done = false;

    *until = UINT64_MAX;
    while (status == TXTAP_OK && !done && !stop_requested() && now_us() < deadline) {
        const struct reader_state *state = poller_state(poller);

        status = poller_step(poller, error);
        if (*until == UINT64_MAX && state->head_known)
            *until = state->head;
        done = *until != UINT64_MAX && (state->next >= *until || state->unread == 0);
        if (status == TXTAP_OK && !done)
            sleep_us(poller_delay_us(poller));
    }
    return status == TXTAP_OK ? poller_finish(poller, *until == UINT64_MAX ? 0 : *until) : status;
}

/* Returns true, and prints a line, if only a part of the ring was read. This happens if start-up code clears the
 * buffer, after Ctrl-C, and at the time limit. */
static bool is_part(const char *path, const struct poller *poller, uint64_t until)
{
    uint64_t next = poller_state(poller)->next, unit = poller->reader->unit_bytes;

    if (next >= until)
        return false;
    if (until == UINT64_MAX)
        fprintf(stderr, "txtap: %s: interrupted: nothing was read\n", path);
    else
        fprintf(stderr,
                "txtap: %s: only %" PRIu64 " of %" PRIu64 " bytes were read: the copy was interrupted, or the firmware "
                "cleared the buffer\n",
                path, unit * next, unit * until);
    return true;
}

enum txtap_status read_ring(const struct outlet_config *config, const struct attachment *attachment,
                            struct stream_stats *stats, struct error *error)
{
    struct outlet outlet;
    static struct poller poller;
    const struct poller_place place = attach_place(attachment);
    const struct poller_settings settings = {
        .from = attachment->live ? TXTAP_RING_FROM_OLDEST : TXTAP_RING_AT_REST,
        .now_us = now_us,
        .unix_us = wall_us,
        .tick_hz = config->view.tick_hz,
    };
    bool part = false;
    uint64_t until;
    enum txtap_status status = outlet_open(&outlet, config, error);

    if (status != TXTAP_OK)
        return status;
    status = poller_init(&poller, &place, &settings, outlet_sink(&outlet), error);
    if (status == TXTAP_OK) {
        status = outlet_begin(&outlet, &poller.header, &poller.registry);
        if (status == TXTAP_OK)
            status = read_all(&poller, &until, error);
        part = status == TXTAP_OK && is_part(config->path, &poller, until);
        *stats = poller.stats;
    }
    status = outlet_close(&outlet, status, &poller.maker, error);
    stats->events += outlet.counts.records;
    if (part || outlet.counts.cut)
        read_ring_count_loss(stats);
    poller_free(&poller);
    return status;
}
