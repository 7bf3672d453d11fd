/* SPDX-License-Identifier: MIT */
/* Events that wait to become one block of a recording, with the words of those that do not have four. */
#ifndef TXTAP_CAPTURE_RECORD_EVENT_BATCH_H
#define TXTAP_CAPTURE_RECORD_EVENT_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/recording.h"

/* ---- the words of the events, if some have more or fewer than the four of an entry ---- */

#define EVENT_WORDS_MORE_MAX (TXTAP_RECORDING_PAYLOAD_MAX / 4)

struct event_words {
    uint32_t count; /* of events; 0: all have four words */
    uint8_t counts[TXTAP_RECORDING_EVENTS_MAX];
    size_t more_count;
    uint32_t more[EVENT_WORDS_MORE_MAX]; /* the words beyond four, of all events */
};

/* The payload's length with one more event; event NULL: as it is. 0: no payload is needed. */
size_t event_words_bytes(const struct event_words *words, const struct txtap_event *event);

/* Adds an event, which must fit into the payload. */
void event_words_add(struct event_words *words, const struct txtap_event *event);

/* Fills the payload, returns its length, and is empty then. */
size_t event_words_take(struct event_words *words, uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX]);

/* ---- the events ---- */

struct event_batch {
    uint32_t count; /* of events; those below are only valid if it is not 0 */
    uint64_t first_seq, first_ticks, last_ticks;
    uint64_t first_us, last_us; /* when the first and the last were read */
    bool has_words;             /* some event, now or earlier, had more or fewer than four */
    struct event_words words;
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];
};

/* What a block may be at most. */
struct event_batch_limits {
    uint64_t age_us; /* from the first event to the last, as they were read */
    uint64_t bytes;  /* of entries, and of the block of words */
    uint64_t period; /* of the clock: within a block the stamps alone give the time */
};

/* Bytes that a block of words takes in a file, by the size of its payload; 0: there is none. */
size_t event_batch_words_bytes(size_t payload);

/* Can the event stand behind those that wait? now_us: when it was read. */
bool event_batch_fits(const struct event_batch *batch, const struct txtap_event *event, uint64_t now_us,
                      const struct event_batch_limits *limits);

/* Adds an event, which must fit. */
void event_batch_add(struct event_batch *batch, const struct txtap_event *event, uint64_t now_us);

/*
 * Completes the payload of the block of events, and returns its length. wall_offset_us: from the clock of now_us to
 * 1970. The payload is valid, and the batch not empty, until the caller sets count to 0. The words are
 * event_words_take()'s.
 */
size_t event_batch_payload(struct event_batch *batch, uint64_t wall_offset_us);

#endif
