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

#endif
