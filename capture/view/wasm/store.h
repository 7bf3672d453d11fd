/* SPDX-License-Identifier: MIT */
/* The events of a trace as they were recorded, and notes between them: gaps, marks, restarts, names. A note has the
 * index of the event that follows it, so that events and notes can be repeated in order. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_STORE_H
#define TXTAP_CAPTURE_VIEW_WASM_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/header.h"
#include "txtap/inner/rows.h"
#include "txtap/item.h"
#include "view/wasm/pool.h"

/* ---- a deque ---- */

/* Items keep their index. first: index of the oldest stored item. end: index after the newest item. Callers may read
 * these two members. */
struct deque {
    uint32_t first, end;

    /* private */
    struct pool *pool;
    size_t item_bytes;
    unsigned shift; /* a page has 2^shift items */
    void **pages;   /* pages of items from index `base` on; dropped pages are NULL */
    size_t capacity;
    uint32_t base; /* index of the first item of pages[0], dropped or not */
};

/* Returns the item at `index`: deque->first to deque->end - 1. The result is valid until the item is dropped. */
void *deque_at(const struct deque *deque, uint32_t index);

/* Returns the index of the first item whose leading uint32_t is above `key`, in a list sorted by this number;
 * deque->end: no such item. The item before the result applies to `key`. */
uint32_t deque_above(const struct deque *deque, uint32_t key);

#define STORE_BLOCK_BYTES (20u * 1024) /* block size of the store's pool */

enum stored_kind {
    STORED_GAP,
    STORED_MARK,
    STORED_RESTART, /* another trace buffer, or only another file of the same trace */
    STORED_OBJECTS, /* names: the payload of a recording's block */
    STORED_NOTED,   /* `count` events were passed to txtap_registry_note() before the first of them was given */
};

/* A note that precedes the event with this index. */
struct stored_note {
    uint32_t index; /* must be first, for deque_above() */
    enum stored_kind kind;
    uint8_t *bytes; /* OBJECTS: `length` bytes; MARK: the mark's text. Owned by the store */
    size_t length;
    union {
        struct txtap_gap gap;
        struct txtap_mark mark;
        struct txtap_header header; /* RESTART */
        uint32_t count;             /* NOTED */
        bool fresh;                 /* OBJECTS: drop all earlier names first */
    };
};

/*
 * The first three words of events: thread, priority, id. Few combinations exist, so each is stored once and has a
 * number. If there are too many, the search table is emptied, and the search finds only heads that were added after
 * that.
 */
struct heads {
    struct deque list;
    uint32_t from;   /* number of the first head that the search can find */
    uint32_t *slots; /* number + 1, indexed by hash; 0: free */
    uint32_t slot_count;
};

struct store {
    struct deque entries;          /* the words of a ring's entry except its stamp */
    struct heads heads;            /* the heads of the events in `entries` */
    struct deque ticks;            /* ticks of the events whose ticks are not in `rows` */
    struct deque runs;             /* places where sequence numbers jump or the base of the ticks changes */
    struct deque headers;          /* the headers with which the entries are parsed */
    struct deque searched;         /* for ranges of events: the number of the first head to search */
    struct deque naming;           /* index of each event for which txtap_registry_notes() is true */
    struct deque extras;           /* events that do not have exactly four words */
    struct deque words;            /* the words of the events in `extras` */
    struct deque notes;            /* struct stored_note */
    const struct txtap_rows *rows; /* contains the ticks of events that are no longer in `ticks`; borrowed */
    uint64_t next_seq;
    uint64_t base, newest; /* in ticks: the base of the current run, and the newest event */
};

/* Prepares the store. pool: blocks of STORE_BLOCK_BYTES; borrowed, like rows. */
void store_init(struct store *store, struct pool *pool, const struct txtap_rows *rows);
void store_free(struct store *store);

/* Adds an event with its entry. If a new trace restarts its ticks, the stored ticks continue, as in struct
 * txtap_change. False: no memory, or the limit of 2^32 - 2 events is reached; the event is then not added. */
bool store_event(struct store *store, const struct txtap_event *event);

/* Adds a note before the next event; copies bytes[0..length). NULL: no memory. */
struct stored_note *store_note(struct store *store, enum stored_kind kind, const void *bytes, size_t length);

/* Sets the header with which the next events are parsed. False: no memory. */
bool store_header(struct store *store, const struct txtap_header *header);

/* Declares that the rows contain the events before `index`, with the same indexes. */
void store_ticks_are_in_rows(struct store *store, uint32_t index);

/* Drops the events before `index`, and the notes before them. */
void store_drop(struct store *store, uint32_t index);

static inline uint32_t store_first(const struct store *store)
{
    return store->entries.first;
}

static inline uint32_t store_end(const struct store *store)
{
    return store->entries.end;
}

#define STORE_WORDS_MAX 255u

/* Gets the stored event with the index `index`, and its ticks like store_ticks(). words: room for the words of an event
 * that does not have exactly four. */
void store_get(const struct store *store, uint32_t index, struct txtap_event *event, uint32_t words[STORE_WORDS_MAX]);

uint64_t store_ticks(const struct store *store, uint32_t index);
bool store_begins_again(const struct store *store, uint32_t index); /* true if the ticks decrease at this event */
uint64_t store_seq(const struct store *store, uint32_t index);
const struct txtap_header *store_header_of(const struct store *store, uint32_t index);

/* Returns the first event at that time or later; store_end(): no such event. */
uint32_t store_at(const struct store *store, uint64_t ticks);

/*
 * Returns the newest event with the number `seq`, or else the first event with a larger number; store_end(): no such
 * event.
 */
uint32_t store_of_seq(const struct store *store, uint64_t seq);

#endif
