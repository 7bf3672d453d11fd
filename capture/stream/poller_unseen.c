/* SPDX-License-Identifier: MIT */
/* Part of the poller: whether events may be lost that no gap shows, where only the ring can tell. */
#include "stream/poller_parts.h"

#include "probe/source_base.h"

#define UNKNOWN_RETRY_US 1000000 /* pause before the ring is asked again */
#define SAMPLE_ENTRIES   64u

enum poller_wrapped {
    POLLER_WRAPPED_NEVER,     /* its last slot is empty, or laps are counted: nothing was overwritten unseen */
    POLLER_WRAPPED_UNKNOWN,   /* it is just wrapping */
    POLLER_WRAPPED_UNCOUNTED, /* it was full, and its lap count is still 0 */
};

/*
 * Finds out in one exchange of 12 bytes whether the target counts laps. It reads the last slot first: the recorder
 * writes that slot, then counts the lap, then lets the pointer leave the ring's start. So a count that is still 0
 * afterwards is no lap count.
 */
static enum txtap_status ask_wrapped(struct poller *poller, enum poller_wrapped *wrapped, struct error *error)
{
    const struct txtap_header *header = &poller->header;
    uint32_t last_slot = header->ring_end - TXTB_ENTRY_BYTES, at;
    uint8_t thread[4], current[4], laps[4];
    const struct txtap_read reads[] = {
        {last_slot + TXTB_ENTRY_THREAD, sizeof thread, thread},
        {poller->address + TXTB_HEADER_CURRENT, sizeof current, current},
        {poller->address + TXTB_HEADER_LAPS, sizeof laps, laps}, /* and the name size, which is not looked at */
    };
    enum txtap_status status = poller_exchange(poller, reads, sizeof reads / sizeof *reads, error);

    if (status != TXTAP_OK)
        return status;
    at = memory_word(current, header->endian);
    if (memory_word(thread, header->endian) == TXTB_THREAD_NONE || laps[0] != 0 || laps[1] != 0)
        *wrapped = POLLER_WRAPPED_NEVER;
    else if (at == header->ring_start || at == last_slot)
        *wrapped = POLLER_WRAPPED_UNKNOWN;
    else
        *wrapped = POLLER_WRAPPED_UNCOUNTED;
    return TXTAP_OK;
}

/* Whether the clock runs, by the stamps of entries in the ring. */
static enum txtap_status sample_clock(struct poller *poller, enum unseen_clock *clock, struct error *error)
{
    uint32_t entries = txtap_header_ring_entries(&poller->header);
    uint32_t count = entries < SAMPLE_ENTRIES ? entries : SAMPLE_ENTRIES;
    uint8_t sample[SAMPLE_ENTRIES * TXTB_ENTRY_BYTES];
    struct unseen seen = poller->unseen;
    enum txtap_status status = poller_read(poller, poller->header.ring_start, count * TXTB_ENTRY_BYTES, sample, error);

    for (uint32_t i = 0; i < count && status == TXTAP_OK; i++) {
        const uint8_t *entry = sample + (size_t)i * TXTB_ENTRY_BYTES;
        struct txtap_event event;

        txtap_event_parse(entry, &poller->header, &event);
        if (memory_word(entry + TXTB_ENTRY_THREAD, poller->header.endian) != TXTB_THREAD_NONE)
            unseen_note(&seen, event.stamp);
        if (seen.equal < seen.stamps)
            break;
    }
    *clock = seen.equal < seen.stamps ? UNSEEN_CLOCK_RUNS : UNSEEN_CLOCK_STANDS;
    return status;
}

/* Can the guard look intact although the ring was lapped? */
static bool may_be_unseen(const struct poller *poller, enum unseen_clock clock)
{
    return poller->reader_self != NULL && poller->reader->guards_by_stamp && !poller->at_rest &&
           poller_state(poller).laps != TXTAP_LAPS_COUNTED && clock != UNSEEN_CLOCK_RUNS;
}

static enum unseen_clock clock_of(const struct poller *poller)
{
    return unseen_clock(&poller->unseen, txtap_header_ring_entries(&poller->header));
}

bool poller_may_lose_unseen(const struct poller *poller)
{
    return may_be_unseen(poller, clock_of(poller));
}

static void note_unseen(struct poller *poller)
{
    poller->stats.unseen = true;
    poller->stats.lost_exact = false;
}

enum txtap_status poller_watch_for_unseen(struct poller *poller, uint64_t now, struct error *error)
{
    enum unseen_clock clock = clock_of(poller);
    enum poller_wrapped wrapped = POLLER_WRAPPED_UNCOUNTED;
    enum txtap_status status = TXTAP_OK;

    if (poller->stats.unseen || clock != UNSEEN_CLOCK_STANDS || !may_be_unseen(poller, clock))
        return TXTAP_OK;
    if (poller_state(poller).laps == TXTAP_LAPS_UNKNOWN) {
        if (poller->unseen.asked_us != 0 && now - poller->unseen.asked_us < UNKNOWN_RETRY_US)
            return TXTAP_OK;
        poller->unseen.asked_us = now;
        status = ask_wrapped(poller, &wrapped, error);
    }
    if (status == TXTAP_OK && wrapped == POLLER_WRAPPED_UNCOUNTED)
        note_unseen(poller);
    return status;
}

enum txtap_status poller_judge_unseen(struct poller *poller, struct error *error)
{
    enum unseen_clock clock = clock_of(poller);
    enum poller_wrapped wrapped = POLLER_WRAPPED_UNCOUNTED;
    enum txtap_status status = TXTAP_OK;

    if (poller->stats.unseen || !may_be_unseen(poller, clock))
        return TXTAP_OK;
    if (poller_state(poller).laps == TXTAP_LAPS_UNKNOWN)
        status = ask_wrapped(poller, &wrapped, error);
    if (status == TXTAP_OK && wrapped != POLLER_WRAPPED_NEVER && clock == UNSEEN_CLOCK_UNKNOWN)
        status = sample_clock(poller, &clock, error);
    if (status == TXTAP_OK && wrapped != POLLER_WRAPPED_NEVER && clock != UNSEEN_CLOCK_RUNS)
        note_unseen(poller);
    return status;
}
