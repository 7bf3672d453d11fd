/* SPDX-License-Identifier: MIT */
/* What events tell of objects: which type a field's object has, and where an object begins to be. */
#ifndef TXTAP_DECODER_LIFETIME_H
#define TXTAP_DECODER_LIFETIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/registry.h"

/* The object type that word i of an event of that row points to; TXTAP_OBJECT_NONE where several are possible. */
uint8_t lifetime_field_type(const struct txtap_event_info *info, size_t i);

/*
 * False if a second object is known at that address, or object (as txtap_registry_find() gave it) may be younger than
 * an event with that seq: only then is txtap_registry_find_at() needed.
 */
static inline bool lifetime_is_certain(const struct txtap_registry *registry, const struct txtap_object *object,
                                       uint64_t seq)
{
    const struct txtap_object *end = registry->objects + registry->count;

    return seq + 1 >= object->created_seq && (object + 1 == end || object[1].pointer != object->pointer);
}

#endif
