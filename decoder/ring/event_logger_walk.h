/* SPDX-License-Identifier: MIT */
/* The events that stand in the copy of a logger's ring, and how many are missing between them. */
#ifndef TXTAP_DECODER_RING_EVENT_LOGGER_WALK_H
#define TXTAP_DECODER_RING_EVENT_LOGGER_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/event_logger.h"

#ifndef DROPPED_MAX
#define DROPPED_MAX 255u /* events dropped that a header can say */
#endif

/*
 * Makes what lies between next and confirmed ready to be taken, with the loss before it. While the size of a loss may
 * still become known it waits; now: it does not.
 */
void walk_emit(struct txtap_logger_ring *ring, bool now);

/* A gap behind all that was emitted. */
void walk_gap(struct txtap_logger_ring *ring, uint64_t lost, bool exact);

#endif
