/* SPDX-License-Identifier: MIT */
/*
 * Objects of the target by address and time. An address is used again and again: a name is told for an event only if
 * it is certain that the event means the object of that name. docs/FORMAT.md, "Names of objects", has the argument.
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

/* One object at its address, from when to when. All zero but pointer, type and name: of that name at all times. */
struct txtap_object {
    uint32_t pointer;
    uint32_t parameter[2];
    uint8_t type; /* any byte: enum txtap_object_type where known */
    uint8_t reserved[2];
    bool live;                          /* the registry, when it was last read, had it in use */
    bool unknown;                       /* no event may be shown with the name: whose it is is not certain */
    bool created;                       /* from_seq is that of its create event */
    bool deleted;                       /* its delete event was seen */
    bool late;                          /* it was created, and nothing shows yet that it is registered */
    uint8_t found;                      /* times that the registry was found unchanged at its address, at most 255 */
    uint64_t from_seq, until_seq;       /* events from the one to before the other mean it; until 0: to now */
    uint64_t changed_seq;               /* of the last event seen that created or deleted it */
    char name[TXTAP_OBJECT_NAME_BYTES]; /* bytes as recorded, NUL-terminated; never to be printed unescaped */
    struct txtap_object_slots {         /* of the registry being taken; the registry's own */
        uint32_t first, used, changed;  /* one more than the number of a slot; 0: there is none */
        uint32_t changed_before;        /* that changed in the copy before, perhaps half written then */
        bool differ, used_differ, changed_differ, any_changed;
    } slots;
};

/* The caller's memory. objects[0..count) is sorted by pointer; of those that share one the newest comes first. */
struct txtap_registry {
    struct txtap_object *objects;
    size_t capacity, count;
    uint32_t generation;         /* changes whenever the objects do: what was learned of them before is worth nothing */
    bool usbx;                   /* an object of USBX was seen */
    uint64_t dropped;            /* objects forgotten for want of capacity; one that never fits counts each time */
    uint64_t now_seq;            /* one more than that of the newest event noted */
    uint64_t gap_seq, whole_seq; /* the newest gap; since when every create and delete event was noted */
    uint64_t read_seq;           /* low_seq of what was taken last */
    uint16_t hints[TXTAP_REGISTRY_HINTS]; /* where the object of a pointer probably is, plus one; 0: nowhere */
};

/* A copy of the target's registry, and when it was made. */
struct txtap_registry_copy {
    const uint8_t *bytes;  /* from header->registry_start on; not needed afterwards */
    const uint8_t *before; /* the copy before it, as long; NULL: there is none */
    size_t length;         /* whole entries or fewer */
    /* Made after the event before low_seq was written, and before the one with high_seq was; all before high_seq have
     * been noted. Both UINT64_MAX: nobody has written since. */
    uint64_t low_seq, high_seq;
};

/* No objects yet. objects: room for capacity of them, which may be 0, borrowed until the registry is used no more. */
void txtap_registry_init(struct txtap_registry *registry, struct txtap_object *objects, size_t capacity);

/* Forgets all objects. */
void txtap_registry_clear(struct txtap_registry *registry);

/*
 * Learns from an event what it says of objects: a create event ends the one that its address had, a delete event ends
 * its use. To be called for every event, in order; again for the same events does no harm.
 */
void txtap_registry_note(struct txtap_registry *registry, const struct txtap_event *event);

/* So many events from seq on are missing: what they created and deleted, nobody knows. To be called in order, too. */
void txtap_registry_note_gap(struct txtap_registry *registry, uint64_t seq, uint64_t lost);

/*
 * Learns the names of objects. header: parsed with TXTAP_OK. When there is no room, objects of the past go first. Takes
 * O((entries + capacity) * log capacity) steps, whatever the bytes are.
 */
void txtap_registry_take(struct txtap_registry *registry, const struct txtap_header *header,
                         const struct txtap_registry_copy *copy);

/* The same for a copy of memory at rest, all of whose events have been noted. */
void txtap_registry_update(struct txtap_registry *registry, const struct txtap_header *header, const uint8_t *bytes,
                           size_t length);

/* No event may be shown with what is known: the copy was made at an unknown time. Later ones may say that it is right.
 */
void txtap_registry_doubt(struct txtap_registry *registry);

/*
 * Takes count objects as they were in another registry, in any order: one that is known (pointer, type, name and
 * from_seq) is replaced, others come beside it. Objects without type or pointer are left out. What does not fit counts
 * as dropped, those of the past go first. Steps as txtap_registry_take().
 */
void txtap_registry_restore(struct txtap_registry *registry, const struct txtap_object *objects, size_t count);

/* The newest object at that address, its name known or not; NULL if none. Valid until the next change. */
const struct txtap_object *txtap_registry_find(const struct txtap_registry *registry, uint32_t pointer);

/*
 * The object that an event with that seq means by the address. type: enum txtap_object_type, or TXTAP_OBJECT_NONE when
 * the field does not tell. NULL if that is not certain, or of another type.
 */
const struct txtap_object *txtap_registry_find_at(const struct txtap_registry *registry, uint32_t pointer, uint8_t type,
                                                  uint64_t seq);

/* Had it been deleted before the event behind that one? */
bool txtap_registry_deleted_at(const struct txtap_object *object, uint64_t seq);

/* One entry of the target's registry. False for a slot that was never used. */
bool txtap_registry_slot(const struct txtap_header *header, const uint8_t *entry, struct txtap_object *object);

/* "thread", "queue", ... "type 40" has no name: NULL. */
const char *txtap_object_type_name(uint8_t type);

TXTAP_API_END

#endif
