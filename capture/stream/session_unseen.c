/* SPDX-License-Identifier: MIT */
/* Part of session: whether events may be lost that no gap shows, where the ring itself has to be asked. */
#include "stream/session_unseen.h"

#include <string.h>

#include "probe/memory.h"
#include "txtap/event.h"

#define UNKNOWN_RETRY_US 1000000 /* what the ring could not tell is asked again so often */
#define SAMPLE_ENTRIES   64u

enum session_wrapped {
    SESSION_WRAPPED_NEVER,     /* its last slot is empty, or laps are counted: nothing was overwritten unseen */
    SESSION_WRAPPED_UNKNOWN,   /* it wraps just now */
    SESSION_WRAPPED_UNCOUNTED, /* it was full before, and its lap count is still 0 */
};

static const uint8_t never_written[4] = {0};

/*
 * Asks the target, in one exchange of 12 bytes, of a ring of which it is not known whether laps are counted.
 * The last slot first: the recorder counts a lap after it has written it, and before the pointer leaves the ring's
 * start. So a count that is 0 after that is no count.
 */
static enum txtap_status ask_wrapped(struct session *session, enum session_wrapped *wrapped, struct error *error)
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

/* What the stamps that the ring holds say of the clock. */
static enum txtap_status sample_clock(struct session *session, enum unseen_clock *clock, struct error *error)
{
    uint32_t entries = txtap_header_ring_entries(&session->header);
    uint32_t count = entries < SAMPLE_ENTRIES ? entries : SAMPLE_ENTRIES;
    uint8_t sample[SAMPLE_ENTRIES * TXTB_ENTRY_BYTES];
    struct unseen seen = session->unseen;
    enum txtap_status status =
        session_read(session, session->header.ring_start, count * TXTB_ENTRY_BYTES, sample, error);

    for (uint32_t i = 0; i < count && status == TXTAP_OK; i++) {
        const uint8_t *entry = sample + (size_t)i * TXTB_ENTRY_BYTES;
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

/* Could the guard have looked intact although a lap went by? */
static bool may_be_unseen(const struct session *session, enum unseen_clock clock)
{
    return session->reader_self != NULL && session->reader->guards_by_stamp && !session->at_rest &&
           session_state(session).laps != TXTAP_LAPS_COUNTED && clock != UNSEEN_CLOCK_RUNS;
}

static enum unseen_clock clock_of(const struct session *session)
{
    return unseen_clock(&session->unseen, txtap_header_ring_entries(&session->header));
}

bool session_may_lose_unseen(const struct session *session)
{
    return may_be_unseen(session, clock_of(session));
}

static void note_unseen(struct session *session)
{
    session->stats.unseen = true;
    session->stats.lost_exact = false;
}

/* Stamps stand still, and the reader does not know yet whether laps are counted: the ring may tell. */
enum txtap_status session_watch_for_unseen(struct session *session, uint64_t now, struct error *error)
{
    enum unseen_clock clock = clock_of(session);
    enum session_wrapped wrapped = SESSION_WRAPPED_UNCOUNTED;
    enum txtap_status status = TXTAP_OK;

    if (session->stats.unseen || clock != UNSEEN_CLOCK_STANDS || !may_be_unseen(session, clock))
        return TXTAP_OK;
    if (session_state(session).laps == TXTAP_LAPS_UNKNOWN) {
        if (session->unseen.asked_us != 0 && now - session->unseen.asked_us < UNKNOWN_RETRY_US)
            return TXTAP_OK;
        session->unseen.asked_us = now;
        status = ask_wrapped(session, &wrapped, error);
    }
    if (status == TXTAP_OK && wrapped == SESSION_WRAPPED_UNCOUNTED)
        note_unseen(session);
    return status;
}

enum txtap_status session_judge_unseen(struct session *session, struct error *error)
{
    enum unseen_clock clock = clock_of(session);
    enum session_wrapped wrapped = SESSION_WRAPPED_UNCOUNTED;
    enum txtap_status status = TXTAP_OK;

    if (session->stats.unseen || !may_be_unseen(session, clock))
        return TXTAP_OK;
    if (session_state(session).laps == TXTAP_LAPS_UNKNOWN)
        status = ask_wrapped(session, &wrapped, error);
    if (status == TXTAP_OK && wrapped != SESSION_WRAPPED_NEVER && clock == UNSEEN_CLOCK_UNKNOWN)
        status = sample_clock(session, &clock, error);
    if (status == TXTAP_OK && wrapped != SESSION_WRAPPED_NEVER && clock != UNSEEN_CLOCK_RUNS)
        note_unseen(session);
    return status;
}
