/* SPDX-License-Identifier: MIT */
/* The sorted array of objects, for the parts of registry that add objects and change them. */
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

/* Forgets objects that no longer exist until wanted more fit, if there are enough of them. Keeps the order. */
void registry_make_room(struct txtap_registry *registry, size_t wanted);

/* Inserts it before the others of its pointer. False if there is no room. */
bool registry_insert(struct txtap_registry *registry, const struct txtap_object *object);

/* Sorts objects[0..count) after a change. */
void registry_settle(struct txtap_registry *registry);

#endif
