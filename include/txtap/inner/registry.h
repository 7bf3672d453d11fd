/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core. Functions for a registry of objects.
 * Only the program and the decoder need these functions.
 */
#ifndef TXTAP_INNER_REGISTRY_H
#define TXTAP_INNER_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/header.h"
#include "txtap/registry.h"

/* Forgets all objects. */
void txtap_registry_clear(struct txtap_registry *registry);

/*
 * Returns true if an event with this id may create or delete an object, or show that an object exists. If the result is
 * false, noting the event changes only the number of the newest event. So if several such events follow each other, the
 * caller needs to note only the last event.
 */
bool txtap_registry_notes(uint32_t id);

/*
 * Adds count objects of another registry, in any order. An added object replaces an object with the same pointer, type,
 * name and from_seq. The function ignores objects whose type or pointer is 0. If there is no room, it first forgets
 * objects that no longer exist. Objects that still do not fit count as dropped. Takes as many steps as
 * txtap_registry_take().
 */
void txtap_registry_restore(struct txtap_registry *registry, const struct txtap_object *objects, size_t count);

/* Returns true if the object was deleted by event seq or an earlier event. */
bool txtap_registry_deleted_at(const struct txtap_object *object, uint64_t seq);

/* Parses one entry of the target's registry. Returns false if the slot was never used. */
bool txtap_registry_slot(const struct txtap_header *header, const uint8_t *entry, struct txtap_object *object);

#endif
