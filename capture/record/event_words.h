/* SPDX-License-Identifier: MIT */
/* The words of the events in a block, where these are more or fewer than the four of an entry. */
#ifndef TXTAP_CAPTURE_RECORD_EVENT_WORDS_H
#define TXTAP_CAPTURE_RECORD_EVENT_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/recording.h"

#define EVENT_WORDS_MORE_MAX (TXTAP_RECORDING_PAYLOAD_MAX / 4)

struct event_words {
    uint32_t count; /* of events; 0: they have four */
    uint8_t counts[TXTAP_RECORDING_EVENTS_MAX];
    size_t more_count;
    uint32_t more[EVENT_WORDS_MORE_MAX]; /* beyond four, of all of them */
};

/* How long their block's payload is with one event more, or without one: NULL. 0: there is none. */
size_t event_words_bytes(const struct event_words *words, const struct txtap_event *event);

/* Adds an event, which must fit into a payload. */
void event_words_add(struct event_words *words, const struct txtap_event *event);

/* Fills the payload, and begins again. Returns its length. */
size_t event_words_take(struct event_words *words, uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX]);

#endif
