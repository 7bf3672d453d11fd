/* SPDX-License-Identifier: MIT */
/* The server reads blocks through struct block_reader, one for each open page. */
#include "command/view/live_state.h"

#include <inttypes.h>

static void *open_reader(void *self)
{
    return block_reader_new(self);
}

static ssize_t read_blocks(void *stream, char *bytes, size_t size)
{
    return block_reader_read(stream, bytes, size);
}

static void close_reader(void *stream)
{
    block_reader_free(stream);
}

struct server_source live_source(struct block_ring *ring)
{
    return (struct server_source){open_reader, read_blocks, close_reader, ring};
}

void live_state_set(struct live_state *state, const struct stream_stats *stats, uint64_t records,
                    const struct txtap_rate *rate, const char *advice)
{
    pthread_mutex_lock(&state->mutex);
    state->stats = *stats;
    state->stats.events += records;
    state->rate = *rate;
    snprintf(state->advice, sizeof state->advice, "%s", advice);
    pthread_mutex_unlock(&state->mutex);
}

void live_state_put(struct live_state *state, FILE *out, const struct document *document, struct block_ring *ring)
{
    const bool given = document->tick_hz > 0;
    struct document now = *document;
    struct block_sums all, gone;
    struct live_state copy;
    char more[512];

    pthread_mutex_lock(&state->mutex);
    copy = *state;
    pthread_mutex_unlock(&state->mutex);
    block_ring_sums(ring, &all, &gone);
    snprintf(more, sizeof more,
             ",\"hz_measured\":%s,\"hz_low\":%.17g,\"hz_high\":%.17g,\"buffer\":%zu,\"events\":%" PRIu64
             ",\"lost\":%" PRIu64 ",\"lost_exact\":%s,\"resets\":%" PRIu64 ",\"reconnections\":%" PRIu64
             ",\"events_gone\":%" PRIu64,
             !given && copy.rate.how != TXTAP_RATE_FIRMWARE ? "true" : "false", copy.rate.low, copy.rate.high,
             ring->capacity, copy.stats.events, copy.stats.lost,
             copy.stats.lost_exact && !copy.stats.unseen ? "true" : "false", copy.stats.resets,
             copy.stats.reconnections, gone.events);
    if (!given)
        now.tick_hz = copy.rate.hz;
    if (*copy.advice != '\0')
        now.advice = copy.advice;
    document_put_setup(out, &now, more);
}
