/* SPDX-License-Identifier: MIT */
/* The parts of the row of the event logger's ring. */
#ifndef TXTAP_CAPTURE_RING_EVENT_LOGGER_H
#define TXTAP_CAPTURE_RING_EVENT_LOGGER_H

#include "ring/ring_kind.h"
#include "txtap/event_logger.h"

/* event_logger.events, built in. */
extern const char event_logger_definitions[];

/* Its place.own is a struct txtap_logger_place. Threads get their names from place.name_at() as they appear. */
extern const struct reader_ops logger_reader_ops;

/* For a poller that reads such a ring, while the ring is not over. */
const struct txtap_logger_place *logger_place_of(const struct poller *poller);
/* Room for the words of the whole ring, between two steps of the poller. */
uint8_t *logger_raw_of(const struct poller *poller);

/* The name of the thread at an address, without the prefix of Zephyr's macros. False: not known. */
bool logger_thread_name(const struct reader_place *place, uint32_t address, char *name, size_t name_bytes);

#endif
