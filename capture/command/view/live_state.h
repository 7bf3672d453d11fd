/* SPDX-License-Identifier: MIT */
/* The server of a live page gives the page the blocks of a ring, and at /state the setup and further data. The thread
 * that gets the events sets this data, and the server's thread reads it. */
#ifndef TXTAP_CAPTURE_COMMAND_VIEW_LIVE_STATE_H
#define TXTAP_CAPTURE_COMMAND_VIEW_LIVE_STATE_H

#include <pthread.h>
#include <stdio.h>

#include "command/run_loop.h"
#include "stream/stream_stats.h"
#include "txtap/rate.h"
#include "view/block_ring.h"
#include "view/document.h"
#include "view/server.h"

/* Returns the source of a page's events: the blocks in the ring, which is borrowed. */
struct server_source live_source(struct block_ring *ring);

/* Initialize `mutex` with PTHREAD_MUTEX_INITIALIZER. */
struct live_state {
    pthread_mutex_t mutex;
    struct stream_stats stats;
    struct txtap_rate rate;
    char advice[RUN_ADVICE_BYTES]; /* "": no advice */
};

/* Copies the data. records: number of CTF records in addition to stats->events. */
void live_state_set(struct live_state *state, const struct stream_stats *stats, uint64_t records,
                    const struct txtap_rate *rate, const char *advice);

/* Writes the answer to /state. document: of the page. */
void live_state_put(struct live_state *state, FILE *out, const struct document *document, struct block_ring *ring);

#endif
