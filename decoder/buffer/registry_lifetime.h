/* SPDX-License-Identifier: MIT */
/* What events tell of objects: which type a field's object has, and where an object begins to be. */
#ifndef TXTAP_DECODER_BUFFER_REGISTRY_LIFETIME_H
#define TXTAP_DECODER_BUFFER_REGISTRY_LIFETIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/registry.h"

/* The object type that word i of an event of that row points to; TXTAP_OBJECT_NONE where several are possible. */
uint8_t lifetime_field_type(const struct txtap_event_info *info, size_t i);

/* May word i of an event of that row point to an object of that type? */
bool lifetime_fits(const struct txtap_event_info *info, size_t i, uint8_t type);

/* Does the event create or delete an object? */
bool lifetime_changes(const struct txtap_event *event);

/*
 * Objects of that type are registered some time after their create event, if at all: FileX writes it before it reads
 * the media (common/src/fx_media_open.c).
 */
bool lifetime_is_late(uint8_t type);
bool lifetime_creates_late(const struct txtap_event *event);

/* Events from seq on mean another object than this one. */
void lifetime_end(struct txtap_object *object, uint64_t seq);

#endif
