/* SPDX-License-Identifier: MIT */
/*
 * Objects of the target by address: what the object registry says now, and what it said before, so that an event
 * about a deleted object still shows its name.
 */
#ifndef TXTAP_REGISTRY_H
#define TXTAP_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/event.h"
#include "txtap/header.h"

TXTAP_API_BEGIN

enum txtap_object_type { /* tx_trace.h: TX_TRACE_OBJECT_TYPE_* */
                         TXTAP_OBJECT_NONE = 0,
                         TXTAP_OBJECT_THREAD = 1,
                         TXTAP_OBJECT_TIMER,
                         TXTAP_OBJECT_QUEUE,
                         TXTAP_OBJECT_SEMAPHORE,
                         TXTAP_OBJECT_MUTEX,
                         TXTAP_OBJECT_EVENT_FLAGS,
                         TXTAP_OBJECT_BLOCK_POOL,
                         TXTAP_OBJECT_BYTE_POOL, /* 8; then 9 media, 10 file, 11 IP, 12 packet pool, 13 TCP, 14
                                                    UDP, 21..28 USBX */
};

#define TXTAP_OBJECT_NAME_BYTES 64 /* kept of a name, its NUL included */
#define TXTAP_REGISTRY_HINTS    1024

struct txtap_object {
    uint32_t pointer;
    uint32_t parameter[2];
    uint8_t type; /* any byte: enum txtap_object_type where known */
    uint8_t reserved[2];
    bool live;                          /* in use now; false: deleted, or its slot reused */
    uint32_t seen_live;                 /* number of the last update that found it in use; 0: none did */
    uint64_t created_seq;               /* 1 + seq of the event that says it was created; 0: none was seen */
    char name[TXTAP_OBJECT_NAME_BYTES]; /* bytes as recorded, NUL-terminated; never to be printed unescaped */
};

/*
 * The caller's memory. objects[0..count) is sorted by pointer. At most two share a pointer: the live one, then the one
 * that was last seen live of those that are dead.
 */
struct txtap_registry {
    struct txtap_object *objects;
    size_t capacity, count;
    uint32_t generation; /* changes whenever the objects do: what was learned of them before is worth nothing */
    uint32_t updates;    /* since init or clear */
    bool usbx;           /* an object of USBX was seen */
    uint64_t dropped;    /* objects forgotten for want of capacity; one that never fits counts at every update */
    uint16_t hints[TXTAP_REGISTRY_HINTS]; /* where the object of a pointer probably is, plus one; 0: nowhere */
};

/* No objects yet. objects: room for capacity of them, which may be 0, borrowed until the registry is used no more. */
void txtap_registry_init(struct txtap_registry *registry, struct txtap_object *objects, size_t capacity);

/* Forgets all objects. */
void txtap_registry_clear(struct txtap_registry *registry);

/*
 * Takes a copy of the target's registry (bytes: from header->registry_start, length whole entries or fewer) as the new
 * state. Objects that were known and are not in it any more stay, as dead ones; when there is no room, dead ones go
 * first. header: parsed with TXTAP_OK. bytes are not needed afterwards. Takes O((entries + capacity) * log capacity)
 * steps, whatever the bytes are.
 */
void txtap_registry_update(struct txtap_registry *registry, const struct txtap_header *header, const uint8_t *bytes,
                           size_t length);

/*
 * Takes count objects as they were in another registry, in any order: one that is known (pointer, type and name) is
 * replaced, others come beside it. Objects without type or pointer are left out. What does not fit counts as dropped,
 * dead ones go first. Steps as txtap_registry_update().
 */
void txtap_registry_restore(struct txtap_registry *registry, const struct txtap_object *objects, size_t count);

/* The object at that address, a live one if there is one; NULL if none. Valid until the next update. */
const struct txtap_object *txtap_registry_find(const struct txtap_registry *registry, uint32_t pointer);

/*
 * Learns from a create event since when the object at its address is what it is. To be called after the update that
 * follows the event, and before the events around it are shown: for a file, for all its events, before the first is
 * shown. May be called again for the same events.
 */
void txtap_registry_note(struct txtap_registry *registry, const struct txtap_event *event);

/*
 * The object that an event with that seq means by the address: the one that stands there now, or, when it was created
 * only later or is not of that type, the one before. type: enum txtap_object_type, or TXTAP_OBJECT_NONE when the field
 * does not tell. NULL if none is known. Where no create event was seen and the types agree, the live one is believed.
 */
const struct txtap_object *txtap_registry_find_at(const struct txtap_registry *registry, uint32_t pointer, uint8_t type,
                                                  uint64_t seq);

/* "thread", "queue", ... "type 40" has no name: NULL. */
const char *txtap_object_type_name(uint8_t type);

TXTAP_API_END

#endif
