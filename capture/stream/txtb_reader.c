/* SPDX-License-Identifier: MIT */
#include "stream/txtb_reader.h"

#include <inttypes.h>
#include <string.h>

#include "probe/memory.h"
#include "txtap/event.h"

#define EXCHANGE_FAST_US 25000 /* an exchange may take about so long: the Ctrl-C after it, the clock on the screen */
#define EXCHANGE_SLOW_US 100000
#define SAMPLE_ENTRIES   64u

static size_t txtb_plan(void *self, const struct txtap_read **reads, uint64_t now_us)
{
    struct session *session = self;

    txtap_ring_plan(&session->ring, &session->plan, now_us);
    *reads = session->plan.reads;
    return session->plan.count;
}

/* Exchanges long enough to be worth their fixed cost, short enough to stay responsive, whatever the probe. */
uint32_t session_txtb_adapt(uint32_t entries, uint32_t most, uint64_t took_us)
{
    if (took_us < EXCHANGE_FAST_US)
        return 2 * entries < most ? 2 * entries : most;
    return took_us > EXCHANGE_SLOW_US && entries / 2 >= TXTAP_RING_BUFFER_MIN ? entries / 2 : entries;
}

static void adapt_exchange(struct session *session, uint64_t took_us)
{
    struct txtap_ring *ring = &session->ring;
    bool full = session->plan.end - session->plan.first >= ring->buffer_entries;

    if (full || took_us > EXCHANGE_SLOW_US)
        ring->buffer_entries = session_txtb_adapt(ring->buffer_entries, session->entries_capacity, took_us);
}

/*
 * If a lap went by unseen before the exchange, or does, what the pointer said earlier may be laps away from what is
 * read now. The writer may be further than head if it is faster than the reader, or while the pointer stands at the
 * ring's start and the lap may not be counted yet. next: the first entry that the exchange can have delivered.
 */
static enum txtap_status txtb_commit(void *self, uint64_t begin_us, uint64_t end_us, struct reader_sighting *sighting)
{
    struct session *session = self;
    struct txtap_ring *ring = &session->ring;
    bool counted = ring->guard_known && !ring->guard_gone;
    uint64_t next = ring->next;
    enum txtap_status status = txtap_ring_commit(ring, &session->plan, end_us, &session->batch);

    if (status != TXTAP_OK)
        return status;
    session->batch_waits = true;
    counted = counted && (session->batch.lost == 0 || session->batch.exact);
    *sighting = (struct reader_sighting){
        .any = true,
        .counted = counted && !ring->guard_gone && !ring->inexact,
        .exact = !ring->overtaken && !ring->behind && ring->head % ring->entries != 0,
        .head = ring->head,
        .base = ring->seq_base,
        .begin_us = begin_us,
        .end_us = end_us,
        .next = next,
    };
    adapt_exchange(session, end_us - begin_us);
    return TXTAP_OK;
}

static bool txtb_next(void *self, struct reader_batch *batch)
{
    struct session *session = self;
    bool waits = session->batch_waits;

    session->batch_waits = false;
    *batch = (struct reader_batch){.ring = session->batch};
    return waits;
}

static void txtb_finish(void *self, uint64_t until)
{
    struct session *session = self;

    txtap_ring_finish(&session->ring, until, &session->batch);
    session->batch_waits = true;
}

static struct reader_state txtb_state(const void *self)
{
    const struct session *session = self;
    const struct txtap_ring *ring = &session->ring;

    return (struct reader_state){
        .head = ring->head,
        .next = ring->next,
        .next_seq = ring->started ? ring->next - ring->seq_base : 0,
        .unread = txtap_ring_unread(ring),
        .capacity = ring->entries,
        .idle = session->plan.first == session->plan.end,
        .hurry = ring->guard_gone,
        .overtaken = ring->overtaken,
        .behind = ring->behind,
    };
}

static void txtb_doubt(void *self)
{
    struct session *session = self;

    session->ring.inexact = true;
}

static enum txtap_status txtb_refused(const void *self, enum txtap_status status, char error[static ERROR_TEXT_BYTES])
{
    const struct session *session = self;

    if (status == TXTAP_ERROR_POINTER)
        return failure(error, status,
                       "trace buffer at 0x%08" PRIx32
                       ": its current pointer left the ring: was the target reset, or is "
                       "something writing there? start txtap again",
                       session->ring.address);
    return failure(error, status,
                   "trace buffer at 0x%08" PRIx32 ": it was set up anew while it was read: start txtap again",
                   session->ring.address);
}

const struct reader_ops session_txtb_ops = {
    txtb_plan, txtb_commit, txtb_next, txtb_finish, txtb_state, txtb_doubt, txtb_refused,
};

/* ---- what the ring says beside its events ---- */

static const uint8_t never_written[4] = {0};

/*
 * The last slot first: the recorder counts a lap after it has written it, and before the pointer leaves the ring's
 * start. So a count that is 0 after that is no count.
 */
enum txtap_status session_txtb_wrapped(struct session *session, enum session_wrapped *wrapped,
                                       char error[static ERROR_TEXT_BYTES])
{
    const struct txtap_header *header = &session->header;
    uint32_t last_slot = header->ring_end - TXTB_ENTRY_BYTES, at;
    uint8_t thread[4], current[4], laps[4];
    const struct txtap_read reads[] = {
        {last_slot + TXTB_ENTRY_THREAD, sizeof thread, thread},
        {session->address + TXTB_HEADER_CURRENT, sizeof current, current},
        {session->address + TXTB_HEADER_LAPS, sizeof laps, laps}, /* and the name size, which is none */
    };
    enum txtap_status status = session_exchange(session, reads, sizeof reads / sizeof *reads, error);

    if (status != TXTAP_OK)
        return status;
    at = memory_word(current, header->endian);
    if (memcmp(thread, never_written, sizeof thread) == 0 || laps[0] != 0 || laps[1] != 0)
        *wrapped = SESSION_WRAPPED_NEVER;
    else if (at == header->ring_start || at == last_slot)
        *wrapped = SESSION_WRAPPED_UNKNOWN;
    else
        *wrapped = SESSION_WRAPPED_UNCOUNTED;
    return TXTAP_OK;
}

enum txtap_status session_txtb_sample_clock(struct session *session, enum unseen_clock *clock,
                                            char error[static ERROR_TEXT_BYTES])
{
    uint32_t entries = session->ring.entries;
    uint32_t count = entries < session->entries_capacity ? entries : session->entries_capacity;
    struct unseen seen = session->unseen;
    enum txtap_status status;

    if (count > SAMPLE_ENTRIES)
        count = SAMPLE_ENTRIES;
    status = session_read(session, session->header.ring_start, count * TXTB_ENTRY_BYTES, session->entries, error);
    for (uint32_t i = 0; i < count && status == TXTAP_OK; i++) {
        const uint8_t *entry = session->entries + (size_t)i * TXTB_ENTRY_BYTES;
        struct txtap_event event;

        txtap_event_parse(entry, &session->header, &event);
        if (memcmp(entry + TXTB_ENTRY_THREAD, never_written, sizeof never_written) != 0)
            unseen_note(&seen, event.stamp);
        if (seen.equal < seen.stamps)
            break;
    }
    *clock = seen.equal < seen.stamps ? UNSEEN_CLOCK_RUNS : UNSEEN_CLOCK_STANDS;
    return status;
}

/* ---- no ring any more ---- */

static size_t ended_plan(void *self, const struct txtap_read **reads, uint64_t now_us)
{
    (void)self;
    (void)now_us;
    *reads = NULL;
    return 0;
}

static enum txtap_status ended_commit(void *self, uint64_t begin_us, uint64_t end_us, struct reader_sighting *sighting)
{
    (void)self;
    (void)begin_us;
    (void)end_us;
    (void)sighting;
    return TXTAP_OK;
}

static bool ended_next(void *self, struct reader_batch *batch)
{
    (void)self;
    (void)batch;
    return false;
}

static void ended_finish(void *self, uint64_t until)
{
    (void)self;
    (void)until;
}

static struct reader_state ended_state(const void *self)
{
    (void)self;
    return (struct reader_state){0};
}

static void ended_doubt(void *self)
{
    (void)self;
}

static enum txtap_status ended_refused(const void *self, enum txtap_status status, char error[static ERROR_TEXT_BYTES])
{
    (void)self;
    error[0] = '\0';
    return status;
}

const struct reader_ops session_ended_ops = {
    ended_plan, ended_commit, ended_next, ended_finish, ended_state, ended_doubt, ended_refused,
};
