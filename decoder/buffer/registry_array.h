/* SPDX-License-Identifier: MIT */
/* The sorted array of objects, for those who learn of objects. */
#ifndef TXTAP_DECODER_BUFFER_REGISTRY_ARRAY_H
#define TXTAP_DECODER_BUFFER_REGISTRY_ARRAY_H

#include <string.h>

#include "txtap/registry.h"

static inline bool registry_is_open(const struct txtap_object *object)
{
    return object->until_seq == 0;
}

static inline bool registry_same_name(const struct txtap_object *a, const struct txtap_object *b)
{
    return a->type == b->type && memcmp(a->name, b->name, sizeof(a->name)) == 0;
}

/* Index of the first of the sorted objects whose pointer is not below the given one. */
size_t registry_lower_bound(const struct txtap_registry *registry, uint32_t pointer);

/* As txtap_registry_find(), to be changed. */
struct txtap_object *registry_newest(struct txtap_registry *registry, uint32_t pointer);

/* Forgets objects of the past until so many more fit, if there are enough of them. */
void registry_make_room(struct txtap_registry *registry, size_t wanted);

/* Puts it in front of the others of its pointer. False if there is no room. */
bool registry_insert(struct txtap_registry *registry, const struct txtap_object *object);

/* Brings objects[0..count) in order again. */
void registry_settle(struct txtap_registry *registry);

#endif
