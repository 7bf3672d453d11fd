/* SPDX-License-Identifier: MIT */
/*
 * The events of a trace as they were recorded, and what stood between them: gaps, marks, restarts, names. Each has the
 * index of the event that it comes before, so that all of it can be given again, in its order.
 */
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

/* Items keep their index: first is that of the oldest one held, end is behind the newest. The caller reads these two.
 */
struct deque {
    uint32_t first, end;

    /* private */
    struct pool *pool;
    size_t item_bytes;
    unsigned shift; /* 2^shift items in a page */
    void **pages;   /* of items from base on; those that were forgotten are NULL */
    size_t capacity;
    uint32_t base; /* index of the first item of pages[0], forgotten or not */
};

/* index: first to end - 1. Valid until it is forgotten. */
void *deque_at(const struct deque *deque, uint32_t index);

/*
 * The first item whose leading uint32_t is above key, in a list that is sorted by it; end: there is none. What a list
 * says of an index is thus in the item before.
 */
uint32_t deque_above(const struct deque *deque, uint32_t key);

#define STORE_BLOCK_BYTES (20u * 1024) /* of the pool that a store is given */

enum stored_kind {
    STORED_GAP,
    STORED_MARK,
    STORED_RESTART, /* another trace buffer, or only another file of the same trace */
    STORED_OBJECTS, /* names: the payload of a recording's block */
    STORED_NOTED,   /* so many events were noted in the registry, before the first of them was given */
};

/* What stands before event index. */
struct stored_note {
    uint32_t index; /* first: deque_above() reads it */
    enum stored_kind kind;
    uint8_t *bytes; /* OBJECTS: length of them; MARK: its text. Owned by the store */
    size_t length;
    union {
        struct txtap_gap gap;
        struct txtap_mark mark;
        struct txtap_header header; /* RESTART */
        uint32_t count;             /* NOTED */
        bool fresh;                 /* OBJECTS: forget all earlier ones */
    };
};

/* The first three words of events: thread, priority, id. Few are different, so each is held once, with a number of its
 * own. What a search finds are those since the last time that there were too many of them. */
struct heads {
    struct deque list;
    uint32_t from;   /* the first one that is searched */
    uint32_t *slots; /* number + 1, by hash; 0: free */
    uint32_t slot_count;
};

struct store {
    struct deque entries;          /* what a ring's entry has but its stamp */
    struct heads heads;            /* of entries */
    struct deque ticks;            /* of each event that is not in rows */
    struct deque runs;             /* where the numbers of events do not follow one another */
    struct deque headers;          /* by which entries are parsed */
    struct deque searched;         /* from which event on heads are searched from which on */
    struct deque naming;           /* index of each event for which txtap_registry_notes() is true */
    struct deque extras;           /* events that have more or fewer than four words */
    struct deque words;            /* of those */
    struct deque notes;            /* struct stored_note */
    const struct txtap_rows *rows; /* have the ticks of events that are no longer in ticks; borrowed */
    uint64_t next_seq;
    uint64_t base, newest; /* ticks: of the present stretch, of the newest event */
};

/* pool: of STORE_BLOCK_BYTES; borrowed, as rows is. */
void store_init(struct store *store, struct pool *pool, const struct txtap_rows *rows);
void store_free(struct store *store);

/*
 * Adds an event with its entry. Its ticks go on where those of a new trace begin again, as struct txtap_change has
 * them. False: there is no memory, or 2^32 - 2 events are held; then it is not added.
 */
bool store_event(struct store *store, const struct txtap_event *event);

/* Adds a note before the next event; bytes[0..length) is copied. NULL: there is no memory. */
struct stored_note *store_note(struct store *store, enum stored_kind kind, const void *bytes, size_t length);

/* The next events are parsed by that header. False: there is no memory. */
bool store_header(struct store *store, const struct txtap_header *header);

/* The rows have the events before that index, under the same one. */
void store_ticks_are_in_rows(struct store *store, uint32_t index);

/* Forgets the events before that index, and what stood before them. */
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

/* The event with that index, which is held; its ticks as in store_ticks(). words: room for those of an event that has
 * more or fewer than four. */
void store_get(const struct store *store, uint32_t index, struct txtap_event *event, uint32_t words[STORE_WORDS_MAX]);

uint64_t store_ticks(const struct store *store, uint32_t index);
bool store_begins_again(const struct store *store, uint32_t index); /* its ticks went back */
uint64_t store_seq(const struct store *store, uint32_t index);
const struct txtap_header *store_header_of(const struct store *store, uint32_t index);

/* The first event at that time or later; store_end(): there is none. */
uint32_t store_at(const struct store *store, uint64_t ticks);

/* The newest event with that number, or of those with a larger one the first; store_end(): there is none. */
uint32_t store_of_seq(const struct store *store, uint64_t seq);

#endif
