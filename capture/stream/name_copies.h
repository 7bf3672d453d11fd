/* SPDX-License-Identifier: MIT */
/*
 * Finds the names of objects in a stream of events, from copies of the target's object registry. Addresses are reused.
 * So a copy is certain for the events around it only when all events up to the copy are known. Until then the events
 * wait here, in order. This module knows the registry and exchanges, but not rings, sinks and the pace of
 * polling.
 */
#ifndef TXTAP_CAPTURE_STREAM_NAME_COPIES_H
#define TXTAP_CAPTURE_STREAM_NAME_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "stream/reader.h"
#include "txtap/item.h"
#include "txtap/registry.h"
#include "txtap/source.h"

struct name_copies;

struct name_copies_setup {
    const struct txtap_header *header;
    uint32_t search_start;           /* address of the kernel's _tx_trace_registry_search_start; 0: not known */
    uint32_t read_bytes_max;         /* most bytes per exchange */
    uint64_t first_seq;              /* sequence number of the ring's event 0 in the stream */
    struct txtap_registry *registry; /* learns the objects; borrowed */
    uint64_t wait_us;     /* how long an event waits until the objects in it are known; then it shows addresses.
                             0: not at all */
    uint64_t past_events; /* an object may be forgotten if this many events have followed its end; 0: never */

    enum txtap_status (*exchange)(void *self, const struct txtap_read *reads, size_t count, struct error *error);
    enum txtap_status (*deliver)(void *self, struct txtap_item *item); /* deliver() may change the item */
    uint64_t (*now_us)(void);
    void *self;
};

/* Creates the object and reads the registry for the first time. On failure error is one line. After success, call
 * name_copies_close(). */
enum txtap_status name_copies_open(struct name_copies **names, const struct name_copies_setup *setup,
                                   struct error *error);
void name_copies_close(struct name_copies *names);

/* Notes the state of the ring. Call it after each exchange for the ring. exact: during the exchange nothing was written
 * beyond the ring's head. */
void name_copies_see(struct name_copies *names, const struct reader_state *state, bool exact);

/* Learns about objects from an event or a gap. Call it for all items of a batch, in order, before the first call of
 * name_copies_take() for the batch. exact: the size of the batch's gap is known exactly. */
void name_copies_note(struct name_copies *names, const struct txtap_item *item, bool exact, uint64_t now_us);

/* Delivers the item now, or when the names in it are known. Returns the status of deliver. */
enum txtap_status name_copies_take(struct name_copies *names, struct txtap_item *item, uint64_t now_us);

/* Accepts the copy of the registry if it is certain now. Reads another copy if necessary. */
enum txtap_status name_copies_follow(struct name_copies *names, const struct reader_state *state, struct error *error);

/* Delivers the items that no longer need to wait; all: delivers every item. */
enum txtap_status name_copies_release(struct name_copies *names, bool all);

struct name_copies_state {
    /* the first waiting item, or the first event that needs a newer copy; UINT64_MAX: there is neither */
    uint64_t first_seq;
    bool waiting; /* items wait */
    bool settled; /* no more names will be learned for the events so far */
    bool hurry;   /* an immediate exchange would release waiting items */
};

/* Returns the state. `reader` is the ring's present state. `names` may be NULL. */
struct name_copies_state name_copies_state(const struct name_copies *names, const struct reader_state *reader);

/* Reads the current registry. Call it instead of further steps. No names are learned from it. */
enum txtap_status name_copies_read(struct name_copies *names, const struct reader_state *state, struct error *error);

/* Returns the registry as last read or accepted. */
const uint8_t *name_copies_bytes(const struct name_copies *names, uint32_t *length);

#endif
