/* SPDX-License-Identifier: MIT */
/* The parts of registry: the sorted array of objects, and what events show about them. */
#ifndef TXTAP_DECODER_BUFFER_REGISTRY_PARTS_H
#define TXTAP_DECODER_BUFFER_REGISTRY_PARTS_H

#include <string.h>

#include "txtap/event.h"
#include "txtap/registry.h"

/* ---- registry.c, for those that add objects and change them ---- */

static inline bool registry_is_open(const struct txtap_object *object)
{
    return object->until_seq == 0;
}

static inline bool registry_same_name(const struct txtap_object *a, const struct txtap_object *b)
{
    return a->type == b->type && memcmp(a->name, b->name, sizeof(a->name)) == 0;
}

/* Was the object, which may be in the registry twice, deleted before its name was certain? */
static inline bool registry_is_doubtful(const struct txtap_object *object)
{
    return object->unknown && object->deleted;
}

/* Index of the first of the sorted objects whose pointer is not below the given one. */
size_t registry_lower_bound(const struct txtap_registry *registry, uint32_t pointer);

/* As txtap_registry_find(), to be changed. */
struct txtap_object *registry_newest(struct txtap_registry *registry, uint32_t pointer);

/* Inserts it before the others of its pointer. False if there is no room. */
bool registry_insert(struct txtap_registry *registry, const struct txtap_object *object);

/* Sorts objects[0..count) after a change. */
void registry_settle(struct txtap_registry *registry);

/* Forgets objects that no longer exist until wanted more fit, if there are enough of them. Keeps the order. */
void registry_make_room(struct txtap_registry *registry, size_t wanted);

/* ---- registry_lifetime.c: the type of a field's object, and when an object begins and ends ---- */

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
