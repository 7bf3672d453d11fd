/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * What only the program and the decoder do with a registry of objects.
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
 * May an event with that id create or delete an object, or show that one exists? Of events for which it is false only
 * the last one before any other call needs to be noted: the others change nothing but the number of the newest event.
 */
bool txtap_registry_notes(uint32_t id);

/*
 * Adds count objects of another registry, in any order. An object replaces the one with the same pointer, type, name
 * and from_seq. Objects without type or pointer are ignored. Those that do not fit count as dropped; objects that no
 * longer exist are forgotten first. Steps as txtap_registry_take().
 */
void txtap_registry_restore(struct txtap_registry *registry, const struct txtap_object *objects, size_t count);

/* Was the object deleted by event seq, or an earlier one? */
bool txtap_registry_deleted_at(const struct txtap_object *object, uint64_t seq);

/* Parses one entry of the target's registry. False for a slot that was never used. */
bool txtap_registry_slot(const struct txtap_header *header, const uint8_t *entry, struct txtap_object *object);

#endif
