/* SPDX-License-Identifier: MIT */
/* Finds the valid events in the copy of an event logger's ring, and how many events are missing between them. */
#ifndef TXTAP_DECODER_RING_EVENT_LOGGER_WALK_H
#define TXTAP_DECODER_RING_EVENT_LOGGER_WALK_H

#include "ring/event_logger_inside.h"

/*
 * Emits the events between the positions next and confirmed, and the loss before these events: txtap_logger_next() then
 * returns them. If now is false, emits nothing while the size of a loss may still become known.
 */
void walk_emit(struct logger_inside *ring, bool now);

/* Emits a gap after all events emitted so far. */
void walk_gap(struct logger_inside *ring, uint64_t lost, bool exact);

#endif
