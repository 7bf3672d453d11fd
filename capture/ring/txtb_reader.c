/* SPDX-License-Identifier: MIT */
/* Reads ThreadX's ring for a poller. */
#include "ring/txtb.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EXCHANGE_FAST_US                                                                                               \
    25000 /* an exchange may take about this long: Ctrl-C and the clock on the screen wait for it */
#define EXCHANGE_SLOW_US 100000

struct txtb_reader *txtb_reader_of(const struct poller *poller)
{
    return poller->reader_self;
}

struct txtap_ring_state txtb_ring_of(const struct poller *poller)
{
    return txtap_ring_state(&txtb_reader_of(poller)->ring);
}

static void txtb_close(void *self)
{
    struct txtb_reader *reader = self;

    free(reader->entries);
    free(reader);
}

static struct txtb_reader *new_reader(uint32_t entries)
{
    struct txtb_reader *reader = calloc(1, sizeof *reader);

    if (reader == NULL)
        return NULL;
    reader->entries_capacity = entries > TXTAP_RING_BUFFER_MIN ? entries : TXTAP_RING_BUFFER_MIN;
    reader->entries = calloc(reader->entries_capacity, TXTB_ENTRY_BYTES);
    if (reader->entries != NULL)
        return reader;
    free(reader);
    return NULL;
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static enum txtap_status txtb_open(void **self, const struct reader_setup *setup, struct error *error)
{
    uint32_t overhead = TXTAP_RING_READS_MAX * TXTB_ENTRY_BYTES, entries = txtap_header_ring_entries(setup->header);
    struct txtb_place own;
    struct txtb_reader *reader;

    memcpy(&own, setup->place->own, sizeof own);
    if (setup->from != TXTAP_RING_AT_REST && entries < 2)
        return failure(error, TXTAP_ERROR_RING,
                       "trace buffer at 0x%08" PRIx32 ": its ring has one entry, which the target is always about to "
                       "overwrite\ngive tx_trace_enable a larger buffer",
                       setup->address);
    reader = new_reader(min_u32((setup->read_bytes_max - overhead) / TXTB_ENTRY_BYTES, entries));
    if (reader == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for a trace buffer of %" PRIu32 " bytes",
                       txtap_header_total_bytes(setup->header));
    txtap_ring_init(&reader->ring, &(struct txtap_ring_config){
                                       .header = setup->header,
                                       .address = setup->address,
                                       .buffer = reader->entries,
                                       .buffer_entries = min_u32(reader->entries_capacity, TXTB_READER_FIRST_ENTRIES),
                                       .from = setup->from,
                                       .half_laps = own.half_laps,
                                       .patience_us = setup->patience_us,
                                   });
    reader->address = setup->address;
    *self = reader;
    return TXTAP_OK;
}

static size_t txtb_plan(void *self, const struct txtap_read **reads, uint64_t now_us)
{
    struct txtb_reader *reader = self;

    txtap_ring_plan(&reader->ring, &reader->plan, now_us);
    *reads = reader->plan.reads;
    return reader->plan.count;
}

/* Exchanges are long enough to be worth their fixed cost, and short enough to stay responsive, with any probe. */
uint32_t txtb_reader_adapt(uint32_t entries, uint32_t most, uint64_t took_us)
{
    if (took_us < EXCHANGE_FAST_US)
        return 2 * entries < most ? 2 * entries : most;
    return took_us > EXCHANGE_SLOW_US && entries / 2 >= TXTAP_RING_BUFFER_MIN ? entries / 2 : entries;
}

static void adapt_exchange(struct txtb_reader *reader, uint64_t took_us)
{
    uint32_t entries = txtap_ring_state(&reader->ring).buffer_entries;
    bool full = reader->plan.end - reader->plan.first >= entries;

    if (full || took_us > EXCHANGE_SLOW_US)
        txtap_ring_limit(&reader->ring, txtb_reader_adapt(entries, reader->entries_capacity, took_us));
}

/*
 * If the ring was lapped unseen before or during the exchange, the pointer that was read earlier may be laps away from
 * what is read now. The writer may be beyond head if it is faster than the reader, or while the pointer is at the
 * ring's start and the lap may not be counted yet. next: the first entry that the exchange can have delivered.
 */
static enum txtap_status txtb_commit(void *self, uint64_t begin_us, uint64_t end_us,
                                     struct reader_write_time *write_time)
{
    struct txtb_reader *reader = self;
    const struct txtap_ring_state before = txtap_ring_state(&reader->ring);
    bool counted = before.guard_known && !before.guard_gone;
    enum txtap_status status = txtap_ring_commit(&reader->ring, &reader->plan, end_us, &reader->batch);
    struct txtap_ring_state ring;

    if (status != TXTAP_OK)
        return status;
    ring = txtap_ring_state(&reader->ring);
    reader->batch_waits = true;
    counted = counted && (reader->batch.lost == 0 || reader->batch.exact);
    *write_time = (struct reader_write_time){
        .any = true,
        .counted = counted && !ring.guard_gone && !ring.inexact,
        .exact = !ring.overtaken && !ring.behind && (ring.half_laps_at != 0 || ring.head % ring.entries != 0),
        .head = ring.head,
        .base = ring.seq_base,
        .begin_us = begin_us,
        .end_us = end_us,
        .next = before.next,
    };
    adapt_exchange(reader, end_us - begin_us);
    return TXTAP_OK;
}

static bool txtb_next(void *self, struct reader_batch *batch)
{
    struct txtb_reader *reader = self;
    bool waits = reader->batch_waits;

    reader->batch_waits = false;
    *batch = (struct reader_batch){.ring = reader->batch};
    if (batch->ring.lap == 0)
        batch->ring.lap = txtap_ring_state(&reader->ring).entries;
    return waits;
}

static void txtb_finish(void *self, uint64_t until)
{
    struct txtb_reader *reader = self;

    txtap_ring_finish(&reader->ring, until, &reader->batch);
    reader->batch_waits = true;
}

/* Without laps a lap went by unseen; with half-laps one or more did, and the count says less than the pointer may. */
static bool may_be_laps_behind(const struct txtap_ring_state *ring)
{
    return ring->guard_gone || (ring->half_laps_at != 0 && ring->behind);
}

static struct reader_state txtb_state(const void *self)
{
    const struct txtb_reader *reader = self;
    const struct txtap_ring_state ring = txtap_ring_state(&reader->ring);

    return (struct reader_state){
        .head = ring.head,
        .next = ring.next,
        .next_seq = ring.started ? ring.next - ring.seq_base : 0,
        .seq_at_attach = ring.head_at_attach > ring.seq_base ? ring.head_at_attach - ring.seq_base : 0,
        .unread = txtap_ring_unread(&reader->ring),
        .held = txtap_ring_held(&reader->ring),
        .capacity = ring.entries,
        .batch_events = reader->entries_capacity + TXTAP_RING_HOLD_ENTRIES,
        .bytes = (uint64_t)ring.entries * TXTB_ENTRY_BYTES,
        .pointer = ring.half_laps_at != 0 ? ring.half_laps_at : reader->address + TXTB_HEADER_CURRENT,
        .laps = ring.laps_state,
        .head_known = ring.started,
        .started = ring.started,
        .idle = reader->plan.first == reader->plan.end,
        .poll_now = may_be_laps_behind(&ring),
        .overtaken = ring.overtaken,
        .behind = ring.behind,
        .laps_behind = may_be_laps_behind(&ring),
        .doubtful = ring.laps_state != TXTAP_LAPS_COUNTED && (ring.inexact || ring.guard_gone || !ring.guard_known),
    };
}

static void txtb_mark_inexact(void *self)
{
    struct txtb_reader *reader = self;

    txtap_ring_mark_inexact(&reader->ring);
}

const struct reader_ops txtb_reader_ops = {
    .name = "trace buffer",
    .bad_pointer = "its write pointer is outside the ring: was the target reset, or is something writing there? start "
                   "txtap again",
    .restarted = "it was set up again while it was read: start txtap again",
    .unit_bytes = TXTB_ENTRY_BYTES,
    .unit_is_event = true,
    .guards_by_stamp = true,
    .open = txtb_open,
    .close = txtb_close,
    .plan = txtb_plan,
    .commit = txtb_commit,
    .next = txtb_next,
    .finish = txtb_finish,
    .state = txtb_state,
    .mark_inexact = txtb_mark_inexact,
};
