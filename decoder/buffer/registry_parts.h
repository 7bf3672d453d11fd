/* SPDX-License-Identifier: MIT */
/*
 * The internal functions of the registry: for the sorted array of objects, and for lifetimes that follow from events.
 */
#ifndef TXTAP_DECODER_BUFFER_REGISTRY_PARTS_H
#define TXTAP_DECODER_BUFFER_REGISTRY_PARTS_H

#include <string.h>

#include "txtap/event.h"
#include "txtap/registry.h"

/* ---- registry.c: for the files that add and change objects ---- */

static inline bool registry_is_open(const struct txtap_object *object)
{
    return object->until_seq == 0;
}

static inline bool registry_same_name(const struct txtap_object *a, const struct txtap_object *b)
{
    return a->type == b->type && memcmp(a->name, b->name, sizeof(a->name)) == 0;
}

/* Returns true if the object was deleted before its name was certain. Such an object may be in the registry twice. */
static inline bool registry_is_doubtful(const struct txtap_object *object)
{
    return object->unknown && object->deleted;
}

/* Returns the index of the first object whose address is pointer or higher. The objects are sorted. */
size_t registry_lower_bound(const struct txtap_registry *registry, uint32_t pointer);

/* Like txtap_registry_find(), but the caller may change the object. */
struct txtap_object *registry_newest(struct txtap_registry *registry, uint32_t pointer);

/* Inserts the object before all other objects with the same pointer. Returns false if there is no room. */
bool registry_insert(struct txtap_registry *registry, const struct txtap_object *object);

/* Sorts the array after a change, and updates the hints. */
void registry_settle(struct txtap_registry *registry);

/*
 * Forgets objects that no longer exist, until there is room for `wanted` more objects, or until all such objects are
 * forgotten. Keeps the order of the remaining objects.
 */
void registry_make_room(struct txtap_registry *registry, size_t wanted);

/* ---- registry_lifetime.c: the type of the object in a field, and the begin and end of an object ---- */

/*
 * Returns the type of the object that info[i] of an event points to; TXTAP_OBJECT_NONE if several types are possible.
 * info: the event's row.
 */
uint8_t lifetime_field_type(const struct txtap_event_info *info, size_t i);

/* Returns true if info[i] of an event may point to an object of this type. info: the event's row, or NULL. */
bool lifetime_fits(const struct txtap_event_info *info, size_t i, uint8_t type);

/*
 * Return true if an object of this type, or the object that this event creates, is registered later than its create
 * event, or never. FileX writes the create event before it reads the media (common/src/fx_media_open.c).
 */
bool lifetime_is_late(uint8_t type);
bool lifetime_creates_late(const struct txtap_event *event);

/* Ends the object: event seq and later events do not refer to the object. */
void lifetime_end(struct txtap_object *object, uint64_t seq);

#endif
