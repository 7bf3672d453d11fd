/* SPDX-License-Identifier: MIT */
/* Parts of the event logger's row. */
#ifndef TXTAP_CAPTURE_RING_EVENT_LOGGER_H
#define TXTAP_CAPTURE_RING_EVENT_LOGGER_H

#include "ring/ring_kind.h"
#include "txtap/event_logger.h"

/* The content of event_logger.events. */
extern const char event_logger_definitions[];

/* place.own contains a struct txtap_logger_place. place.name_at() names a thread when its first event is read. */
extern const struct reader_ops logger_reader_ops;

#endif
