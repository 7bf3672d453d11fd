/* SPDX-License-Identifier: MIT */
/* What events show about objects: the type of a field's object, and when an object begins and ends. */
#ifndef TXTAP_DECODER_BUFFER_REGISTRY_LIFETIME_H
#define TXTAP_DECODER_BUFFER_REGISTRY_LIFETIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/registry.h"

/* The object type that word i of an event of that row points to; TXTAP_OBJECT_NONE if several are possible. */
uint8_t lifetime_field_type(const struct txtap_event_info *info, size_t i);

/* May word i of an event of that row point to an object of that type? */
bool lifetime_fits(const struct txtap_event_info *info, size_t i, uint8_t type);

/*
 * Objects of that type are registered some time after their create event, or never: FileX writes the event before it
 * reads the media (common/src/fx_media_open.c).
 */
bool lifetime_is_late(uint8_t type);
bool lifetime_creates_late(const struct txtap_event *event);

/* Events from seq on do not mean this object. */
void lifetime_end(struct txtap_object *object, uint64_t seq);

#endif
