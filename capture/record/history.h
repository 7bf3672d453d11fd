/* SPDX-License-Identifier: MIT */
/* The newest events and gaps that were not recorded, kept for a trigger that may come: a ring of fixed size. */
#ifndef TXTAP_CAPTURE_RECORD_HISTORY_H
#define TXTAP_CAPTURE_RECORD_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/item.h"
#include "txtap/txtb.h"

#define HISTORY_ITEMS 65536u  /* 8 MiB */
#define HISTORY_WORDS 524288u /* of events that have more or fewer than four words: 2 MiB */

struct history_item {
    uint64_t window_us; /* its time, by which the caller judges what is old */
    uint64_t us;        /* when it was read */
    uint64_t seq;       /* of an event */
    uint64_t ticks;     /* of an event */
    bool is_gap;        /* not an event */
    struct txtap_gap gap;
    uint8_t entry[TXTB_ENTRY_BYTES];
    const uint32_t *words; /* of an event that has more or fewer than four words; else NULL */
    uint32_t word_count;
    uint64_t words_at; /* position in the ring of words: this item and newer ones have none before it */
};

struct history {
    struct history_item *items;
    uint32_t *words;
    uint64_t words_end; /* end of the newest; position p is words[p % HISTORY_WORDS] */
    uint32_t first, count;
    uint64_t pushed_out_us; /* window_us of the newest item that was pushed out; 0: none was */
};

/* False: out of memory. */
bool history_init(struct history *history);
void history_free(struct history *history);

/* A slot for a new item, behind all others. The oldest item is pushed out if there is no room. */
struct history_item *history_add(struct history *history);

/* The same for an event, with its entry and words. */
struct history_item *history_add_event(struct history *history, const struct txtap_event *event);

/* Removes and returns the oldest item; NULL: there is none. It is valid until the next call of history_add(). */
const struct history_item *history_take(struct history *history);

/* Forgets items before since_us. True: nothing from then on was pushed out. */
bool history_trim(struct history *history, uint64_t since_us);

#endif
