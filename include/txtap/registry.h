/* SPDX-License-Identifier: MIT */
/*
 * The target's objects by address and time. Firmware reuses addresses: so a name is shown for an event only if the
 * event certainly refers to the object with this name. docs/developer/names.md has the reasons.
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
 * One object, and the range of the events that refer to it. If from_seq, until_seq and all flags are 0, the object
 * exists at all times.
 */
struct txtap_object {
    uint32_t pointer;
    uint32_t parameter[2];
    uint8_t type; /* any value; if known, enum txtap_object_type */
    uint8_t reserved[2];
    bool live;    /* the object was in use when the target's registry was last read */
    bool unknown; /* the name may belong to another object: do not show it for any event */
    bool created; /* from_seq is the seq of its create event */
    bool deleted; /* the object's delete event was seen */
    bool late;    /* the object's create event was seen, but the object is not yet in any copy of the registry */
    bool reused;  /* another object was at this address before, or may be there later */
    uint64_t from_seq, until_seq;       /* events from_seq to until_seq - 1 refer to it; until_seq 0: it still exists */
    uint64_t changed_seq;               /* seq of the last event that created or deleted the object */
    char name[TXTAP_OBJECT_NAME_BYTES]; /* bytes as recorded, NUL-terminated; escape them before printing */
    struct txtap_object_slots {         /* private: the object's slots in the copy that is being taken */
        uint32_t first, used, changed;  /* slot numbers plus one; 0: no slot */
        uint32_t changed_before;        /* `changed` of the previous copy, which may contain this slot half written */
        bool differ, used_differ, changed_differ;
    } slots;
};

/* objects[0..count) is sorted by pointer. If several objects have the same pointer, the newest comes first. */
struct txtap_registry {
    struct txtap_object *objects;
    size_t capacity, count;
    uint32_t generation; /* changes with every change of the objects: cached data about objects is then out of date */
    bool usbx;           /* an object of USBX was seen */
    uint64_t dropped;    /* number of objects forgotten for lack of room; an object that never fits counts each time */

    /* private */
    uint64_t now_seq;            /* seq of the newest event noted, plus one */
    uint64_t gap_seq, whole_seq; /* gap_seq: the newest gap; since whole_seq, all create and delete events were noted */
    uint64_t read_seq;           /* low_seq of the last copy taken */
    uint32_t search_start;       /* search_start of the last copy taken; UINT32_MAX: unknown */
    uint32_t still_copies;       /* consecutive equal copies without a create or delete event between them */
    uint16_t hints[TXTAP_REGISTRY_HINTS]; /* for a pointer: probable index of its object, plus one; 0: no hint */
};

/* A copy of the target's registry, and the time at which it was made. */
struct txtap_registry_copy {
    const uint8_t *bytes;  /* the target's bytes from header->registry_start on; not needed after the call */
    const uint8_t *before; /* the previous copy, with the same length; NULL: there is no previous copy */
    size_t length;         /* in bytes; an incomplete last entry is ignored */
    /* The copy was made after event low_seq - 1 was written and before event high_seq was written. All events before
     * high_seq have been noted. high_seq UINT64_MAX: every event that is noted later is newer than the copy, but some
     * older events may not have been noted. low_seq and high_seq UINT64_MAX: the target has written no event since the
     * copy. */
    uint64_t low_seq, high_seq;
    /* The value of the kernel's _tx_trace_registry_search_start, read after the copy. The kernel changes the value
     * whenever it takes a slot or marks a slot as free. */
    bool has_search_start;
    uint32_t search_start;
};

/* Starts without objects. objects: room for capacity objects, borrowed while registry is in use. capacity may be 0. */
void txtap_registry_init(struct txtap_registry *registry, struct txtap_object *objects, size_t capacity);

/*
 * Learns which objects an event creates or deletes. A create event ends the earlier object at the same address. Call
 * the function for every event, in order. A second call for the same events does no harm.
 */
void txtap_registry_note(struct txtap_registry *registry, const struct txtap_event *event);

/*
 * Notes a gap: `lost` events from seq on are missing, and may have created or deleted objects. Call the function in
 * order with txtap_registry_note().
 */
void txtap_registry_note_gap(struct txtap_registry *registry, uint64_t seq, uint64_t lost);

/*
 * Learns the names of objects from a copy. header: parsed with TXTAP_OK. If there is no room, the function first
 * forgets objects that no longer exist. Takes O((entries + capacity) * log capacity) steps, whatever the bytes are.
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
 * each address, enough objects stay to show that the address had several names or an uncertain name. The number of
 * these objects depends on the number of addresses, not on how often the addresses were used. Takes as many steps as
 * txtap_registry_take().
 */
void txtap_registry_forget(struct txtap_registry *registry, uint64_t seq);

/*
 * Returns the newest object at the address `pointer`, even if its member unknown is true; NULL if there is no object.
 * The result is valid until the next change of the registry.
 */
const struct txtap_object *txtap_registry_find(const struct txtap_registry *registry, uint32_t pointer);

/*
 * Returns the object to which the address `pointer` refers in event seq. type: enum txtap_object_type, or
 * TXTAP_OBJECT_NONE if the event's field may point to several types. Returns NULL if the object is uncertain, or has
 * another type.
 */
const struct txtap_object *txtap_registry_find_at(const struct txtap_registry *registry, uint32_t pointer, uint8_t type,
                                                  uint64_t seq);

/*
 * Returns the name that all objects at the address `pointer` had. Returns "" if these objects had different names, or
 * if a name is uncertain or unknown. The result is valid until the next change of the registry.
 */
const char *txtap_registry_name(const struct txtap_registry *registry, uint32_t pointer);

/* Returns "thread", "queue", ...; NULL for a type without a name. */
const char *txtap_object_type_name(uint8_t type);

TXTAP_API_END

#endif
