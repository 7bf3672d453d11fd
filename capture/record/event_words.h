/* SPDX-License-Identifier: MIT */
/* The words of a block's events, if some have more or fewer than the four of an entry. */
#ifndef TXTAP_CAPTURE_RECORD_EVENT_WORDS_H
#define TXTAP_CAPTURE_RECORD_EVENT_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/recording.h"

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

#endif
