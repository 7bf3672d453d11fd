/* SPDX-License-Identifier: MIT */
/*
 * The target's objects by address and time. Firmware reuses addresses: an event shows an object's name only if it is
 * certain that the event refers to this object. docs/developer/names.md has the reasons.
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

#define TXTAP_OBJECT_NAME_BYTES 64 /* a longer name is cut; NUL included */
#define TXTAP_REGISTRY_HINTS    1024

/*
 * One object at its address, and the events that refer to it. An object whose other fields are all 0 exists at all
 * times.
 */
struct txtap_object {
    uint32_t pointer;
    uint32_t parameter[2];
    uint8_t type; /* any byte: enum txtap_object_type where known */
    uint8_t reserved[2];
    bool live;                          /* the object was in use when the target's registry was last read */
    bool unknown;                       /* the name may belong to another object: show it for no event */
    bool created;                       /* from_seq is the seq of its create event */
    bool deleted;                       /* the object's delete event was seen */
    bool late;                          /* the object's create event was seen, but no copy of the registry has shown
                                           the object yet */
    bool reused;                        /* another object was at its address before, or may be later */
    uint64_t from_seq, until_seq;       /* events from_seq to until_seq - 1 refer to it; until_seq 0: it still exists */
    uint64_t changed_seq;               /* seq of the last event that created or deleted it */
    char name[TXTAP_OBJECT_NAME_BYTES]; /* bytes as recorded, NUL-terminated; escape them before printing */
    struct txtap_object_slots {         /* private: its slots in the copy being taken */
        uint32_t first, used, changed;  /* each is the number of a slot plus one; 0: no slot */
        uint32_t changed_before;        /* changed in the previous copy, perhaps half written then */
        bool differ, used_differ, changed_differ;
    } slots;
};

/* objects[0..count) is sorted by pointer; of objects that share a pointer the newest comes first. */
struct txtap_registry {
    struct txtap_object *objects;
    size_t capacity, count;
    uint32_t generation; /* changes whenever the objects do: anything cached about them is then out of date */
    bool usbx;           /* an object of USBX was seen */
    uint64_t dropped;    /* objects forgotten because they did not fit; an object that never fits counts each time */

    /* private */
    uint64_t now_seq;                     /* seq of the newest event noted, plus one */
    uint64_t gap_seq, whole_seq;          /* the newest gap; every create and delete event since whole_seq was noted */
    uint64_t read_seq;                    /* low_seq of the last copy taken */
    uint32_t search_start;                /* search start of the last copy taken; UINT32_MAX: not known */
    uint32_t still_copies;                /* consecutive equal copies without a create or delete event between them */
    uint16_t hints[TXTAP_REGISTRY_HINTS]; /* probable index of a pointer's object, plus one; 0: no hint */
};

/* A copy of the target's registry, and the time at which it was made. */
struct txtap_registry_copy {
    const uint8_t *bytes;  /* from header->registry_start on; not needed afterwards */
    const uint8_t *before; /* the previous copy, of the same length; NULL: no copy */
    size_t length;         /* in bytes; an incomplete last entry is ignored */
    /* The copy was made after event low_seq - 1 and before event high_seq were written; all events before high_seq have
     * been noted. high_seq UINT64_MAX: every event noted later is newer than the copy, but older events may be missing.
     * Both UINT64_MAX: the target has written nothing since. */
    uint64_t low_seq, high_seq;
    /* The kernel's _tx_trace_registry_search_start, read after the copy: it changes with each slot that is taken or
     * marked free. */
    bool has_search_start;
    uint32_t search_start;
};

/* Starts without objects. objects: room for capacity objects, borrowed while registry is in use. capacity may be 0. */
void txtap_registry_init(struct txtap_registry *registry, struct txtap_object *objects, size_t capacity);

/*
 * Learns which objects an event creates or deletes. A create event ends the earlier object at its address. Call it for
 * every event, in order; calling it again for the same events does no harm.
 */
void txtap_registry_note(struct txtap_registry *registry, const struct txtap_event *event);

/* Notes that lost events from seq on are missing, with the objects that they created and deleted. Call it in order with
 * the events. */
void txtap_registry_note_gap(struct txtap_registry *registry, uint64_t seq, uint64_t lost);

/*
 * Learns the names of objects from a copy. header: parsed with TXTAP_OK. If there is no room, objects that no longer
 * exist are forgotten first. Takes O((entries + capacity) * log capacity) steps, whatever the bytes are.
 */
void txtap_registry_take(struct txtap_registry *registry, const struct txtap_header *header,
                         const struct txtap_registry_copy *copy);

/*
 * Does the same as txtap_registry_take() for a copy of memory that nobody writes, after all events of this memory have
 * been noted.
 */
void txtap_registry_update(struct txtap_registry *registry, const struct txtap_header *header, const uint8_t *bytes,
                           size_t length);

/* Marks all names as unknown, because the copy was made at an unknown time. Later copies may confirm them. */
void txtap_registry_doubt(struct txtap_registry *registry);

/*
 * Forgets objects that ended before event seq: for an endless stream. The caller must not ask for older events
 * afterwards. The results of txtap_registry_find_at() for later events and of txtap_registry_name() do not change: for
 * each address enough objects stay to show that it had several names, or an uncertain name. Their number depends on the
 * number of addresses, not on how often they were used. Takes as many steps as txtap_registry_take().
 */
void txtap_registry_forget(struct txtap_registry *registry, uint64_t seq);

/*
 * Returns the newest object at the address `pointer`, even if unknown; NULL if there is no object. Valid until the next
 * change.
 */
const struct txtap_object *txtap_registry_find(const struct txtap_registry *registry, uint32_t pointer);

/*
 * Returns the object to which the address `pointer` refers in event seq. type: enum txtap_object_type, or
 * TXTAP_OBJECT_NONE if the field may point to several types. NULL if the object is uncertain, or has another type.
 */
const struct txtap_object *txtap_registry_find_at(const struct txtap_registry *registry, uint32_t pointer, uint8_t type,
                                                  uint64_t seq);

/*
 * Returns the name that all objects at the address `pointer` had. "" if they had different names, or if a name is
 * uncertain or unknown. Valid until the next change.
 */
const char *txtap_registry_name(const struct txtap_registry *registry, uint32_t pointer);

/* Returns "thread", "queue", ...; NULL for a type without a name. */
const char *txtap_object_type_name(uint8_t type);

TXTAP_API_END

#endif
