/* SPDX-License-Identifier: MIT */
/* Finds out whether events may be lost without a gap: the time stamps stand still, and the target counts no laps. */
#include "stream/poller_unseen.h"

#include "probe/source_base.h"
#include "txtap/event.h"

#define UNKNOWN_RETRY_US 1000000 /* pause before the poller asks again whether the ring has wrapped */
#define SAMPLE_ENTRIES   64u

enum wrapped {
    WRAPPED_NEVER,     /* its last slot is empty, or laps are counted: nothing was overwritten unnoticed */
    WRAPPED_UNKNOWN,   /* the pointer is at an end of the ring: it may be wrapping just now */
    WRAPPED_UNCOUNTED, /* the ring was full, but its lap count is still 0 */
};

/*
 * Finds out with one exchange of 12 bytes whether the target counts laps. It reads the last slot first. A recorder that
 * counts laps writes that slot, then counts the lap, then moves the pointer away from the ring's start. So if the count
 * is still 0 afterwards, the target does not count laps.
 */
static enum txtap_status ask_wrapped(struct poller *poller, enum wrapped *wrapped, struct error *error)
{
    const struct txtap_header *header = &poller->header;
    uint32_t last_slot = header->ring_end - TXTB_ENTRY_BYTES, at;
    uint8_t thread[4], current[4], laps[4];
    const struct txtap_read reads[] = {
        {last_slot + TXTB_ENTRY_THREAD, sizeof thread, thread},
        {poller->address + TXTB_HEADER_CURRENT, sizeof current, current},
        {poller->address + TXTB_HEADER_LAPS, sizeof laps, laps}, /* includes the name size, which is ignored */
    };
    enum txtap_status status = poller_exchange(poller, reads, sizeof reads / sizeof *reads, error);

    if (status != TXTAP_OK)
        return status;
    at = memory_word(current, header->endian);
    if (memory_word(thread, header->endian) == TXTB_THREAD_NONE || laps[0] != 0 || laps[1] != 0)
        *wrapped = WRAPPED_NEVER;
    else if (at == header->ring_start || at == last_slot)
        *wrapped = WRAPPED_UNKNOWN;
    else
        *wrapped = WRAPPED_UNCOUNTED;
    return TXTAP_OK;
}

/* Finds out whether the clock runs, from the stamps of entries in the ring. */
static enum txtap_status sample_clock(struct poller *poller, enum stamp_clock *clock, struct error *error)
{
    uint32_t entries = txtap_header_ring_entries(&poller->header);
    uint32_t count = entries < SAMPLE_ENTRIES ? entries : SAMPLE_ENTRIES;
    uint8_t sample[SAMPLE_ENTRIES * TXTB_ENTRY_BYTES];
    struct stamps_seen seen = poller->batch.seen;
    enum txtap_status status = poller_read(poller, poller->header.ring_start, count * TXTB_ENTRY_BYTES, sample, error);

    for (uint32_t i = 0; i < count && status == TXTAP_OK; i++) {
        const uint8_t *entry = sample + (size_t)i * TXTB_ENTRY_BYTES;
        struct txtap_event event;

        txtap_event_parse(entry, &poller->header, &event);
        if (memory_word(entry + TXTB_ENTRY_THREAD, poller->header.endian) != TXTB_THREAD_NONE)
            stamps_seen_note(&seen, event.stamp);
        if (seen.equal < seen.count)
            break;
    }
    *clock = seen.equal < seen.count ? STAMP_CLOCK_RUNS : STAMP_CLOCK_STANDS;
    return status;
}

bool poller_guards_by_stamp(const struct poller *poller)
{
    return poller->reader_self != NULL && poller->reader->guards_by_stamp && !poller->at_rest &&
           poller->state.laps != TXTAP_LAPS_COUNTED;
}

static enum stamp_clock clock_of(const struct poller *poller)
{
    return stamps_seen_clock(&poller->batch.seen, txtap_header_ring_entries(&poller->header));
}

static void note_unseen(struct poller *poller)
{
    poller->stats.unseen = true;
    poller->stats.lost_exact = false;
}

enum txtap_status poller_watch_unseen(struct poller *poller, uint64_t now, struct error *error)
{
    enum stamp_clock clock = clock_of(poller);
    enum wrapped wrapped = WRAPPED_UNCOUNTED;
    enum txtap_status status = TXTAP_OK;

    if (poller->stats.unseen || clock != STAMP_CLOCK_STANDS || !poller_guards_by_stamp(poller))
        return TXTAP_OK;
    if (poller->state.laps == TXTAP_LAPS_UNKNOWN) {
        if (poller->asked_us != 0 && now - poller->asked_us < UNKNOWN_RETRY_US)
            return TXTAP_OK;
        poller->asked_us = now;
        status = ask_wrapped(poller, &wrapped, error);
    }
    if (status == TXTAP_OK && wrapped == WRAPPED_UNCOUNTED)
        note_unseen(poller);
    return status;
}

enum txtap_status poller_judge_unseen(struct poller *poller, struct error *error)
{
    enum stamp_clock clock = clock_of(poller);
    enum wrapped wrapped = WRAPPED_UNCOUNTED;
    enum txtap_status status = TXTAP_OK;

    if (poller->stats.unseen || clock == STAMP_CLOCK_RUNS || !poller_guards_by_stamp(poller))
        return TXTAP_OK;
    if (poller->state.laps == TXTAP_LAPS_UNKNOWN)
        status = ask_wrapped(poller, &wrapped, error);
    if (status == TXTAP_OK && wrapped != WRAPPED_NEVER && clock == STAMP_CLOCK_UNKNOWN)
        status = sample_clock(poller, &clock, error);
    if (status == TXTAP_OK && wrapped != WRAPPED_NEVER && clock != STAMP_CLOCK_RUNS)
        note_unseen(poller);
    return status;
}
