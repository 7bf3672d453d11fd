/* SPDX-License-Identifier: MIT */
/* How a session reads the ring of Zephyr's kernel event logger: as TXTB entries, with the names of threads. */
#ifndef TXTAP_CAPTURE_RING_EVENT_LOGGER_READER_H
#define TXTAP_CAPTURE_RING_EVENT_LOGGER_READER_H

#include "stream/session.h"
#include "txtap/logger_ring.h"

/* Its place: struct txtap_logger_place. Threads get their names through the place's name_at() as they are met. */
extern const struct reader_ops logger_reader_ops;

/* Of a session that reads such a ring, and whose ring is not over. */
const struct txtap_logger_ring *logger_ring_of(const struct session *session);

/* The name of the thread at that address, without what Zephyr's macros put before it. False if nobody knows. */
bool logger_thread_name(const struct reader_place *place, uint32_t address, char *name, size_t name_bytes);

#endif
