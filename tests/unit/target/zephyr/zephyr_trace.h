/* SPDX-License-Identifier: MIT */
/* The trace of zephyr_target.h as txtap decodes it, with the definitions that the module includes. */
#ifndef TXTAP_TESTS_ZEPHYR_TRACE_H
#define TXTAP_TESTS_ZEPHYR_TRACE_H

#include "txtap/definitions.h"
#include "txtap/event.h"
#include "txtap/registry.h"

/* Reads the module's zephyr.events. Fails the test if a line is invalid. */
const struct txtap_definitions *zephyr_definitions(void);

/* Decodes all events in zephyr_ram, oldest first. Returns their number. */
enum { ZEPHYR_EVENTS_MAX = 256, ZEPHYR_OBJECTS_MAX = 64 };
size_t zephyr_decode(struct txtap_event events[ZEPHYR_EVENTS_MAX]);

/* Returns the registry of the last decoded trace. */
const struct txtap_registry *zephyr_registry(void);

/* Returns the name that an object has now; "": it has no name. */
const char *zephyr_name_of(const void *object);

#endif
