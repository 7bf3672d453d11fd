/* SPDX-License-Identifier: MIT */
/*
 * The names of objects in a stream of events, by copies of the target's object registry. Addresses are reused, so a
 * copy is certain for the events around it only once all events up to it are known. Until then events wait here, in
 * their order. Knows registry and exchanges; knows nothing of rings, sinks and the pace of polling.
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
    uint32_t read_bytes_max;         /* of an exchange */
    uint64_t first_seq;              /* sequence number of the ring's event 0 in the stream */
    struct txtap_registry *registry; /* learns which objects there are; borrowed */
    bool events_wait;                /* events wait until it is known which objects they mean */
    uint64_t past_events;            /* an object that ended so many events ago may be forgotten; 0: no object may */

    enum txtap_status (*exchange)(void *self, const struct txtap_read *reads, size_t count, struct error *error);
    enum txtap_status (*deliver)(void *self, struct txtap_item *item); /* the item may be changed */
    uint64_t (*now_us)(void);
    void *self;
};

/* Reads the registry for the first time. On failure error is one line; after success name_copies_close() is due. */
enum txtap_status name_copies_open(struct name_copies **names, const struct name_copies_setup *setup,
                                   struct error *error);
void name_copies_close(struct name_copies *names);

/* To be called after each exchange for the ring. exact: nothing was written beyond the ring's head then. */
void name_copies_see(struct name_copies *names, const struct reader_state *state, bool exact);

/*
 * Learns about objects from an event or a gap. To be called for all items of a batch, in order, before the first of
 * them is given to name_copies_take(). exact: the ring's reader knows how many entries a gap has.
 */
void name_copies_note(struct name_copies *names, const struct txtap_item *item, bool exact, uint64_t now_us);

/* Delivers the item now, or once the names in it are known. Passes on the status of deliver. */
enum txtap_status name_copies_take(struct name_copies *names, struct txtap_item *item, uint64_t now_us);

/* Accepts the copy of the registry if it is certain now, and reads another copy if one is needed. */
enum txtap_status name_copies_follow(struct name_copies *names, const struct reader_state *state, struct error *error);

/* Delivers the items that need not wait any more; all: every item. */
enum txtap_status name_copies_release(struct name_copies *names, bool all);

struct name_copies_state {
    uint64_t first_seq; /* the first item that waits, or the first event that needs a newer copy; UINT64_MAX: none */
    bool settled;       /* nothing more will be learned about the names in the events so far */
    bool hurry;         /* another exchange at once would let waiting items go */
};

/* reader: the ring as it is now. names may be NULL. */
struct name_copies_state name_copies_state(const struct name_copies *names, const struct reader_state *reader);

/* Instead of more steps: reads the registry as it is now. No names are learned from it. */
enum txtap_status name_copies_read(struct name_copies *names, const struct reader_state *state, struct error *error);

/* The registry as it was read or accepted last. */
const uint8_t *name_copies_bytes(const struct name_copies *names, uint32_t *length);

#endif
