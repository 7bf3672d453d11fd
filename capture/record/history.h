/* SPDX-License-Identifier: MIT */
/* The newest events and gaps that were not recorded, kept in a ring of fixed size in case of a trigger. */
#ifndef TXTAP_CAPTURE_RECORD_HISTORY_H
#define TXTAP_CAPTURE_RECORD_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/item.h"
#include "txtap/txtb.h"

#define HISTORY_ITEMS 65536u  /* 8 MiB */
#define HISTORY_WORDS 524288u /* words of events with more or fewer than four words: 2 MiB */

struct history_item {
    uint64_t window_us; /* time of the item; the caller compares it to find old items */
    uint64_t us;        /* time at which the item was read */
    uint64_t seq;       /* event: its seq */
    uint64_t ticks;     /* event: its ticks */
    bool is_gap;        /* a gap, not an event */
    struct txtap_gap gap;
    uint8_t entry[TXTB_ENTRY_BYTES];
    const uint32_t *words; /* event with more or fewer than four words: its words; otherwise NULL */
    uint32_t word_count;
    uint64_t words_at; /* the words of this item and of newer items are at or after this position of the ring `words` */
};

struct history {
    struct history_item *items;
    uint32_t *words;
    uint64_t words_end; /* end position of the newest words; position p is words[p % HISTORY_WORDS] */
    uint32_t first, count;
    uint64_t pushed_out_us; /* window_us of the newest dropped item; 0: no item was dropped */
};

/* False: out of memory. */
bool history_init(struct history *history);
void history_free(struct history *history);

/* Adds an item as the newest, and returns it. Drops the oldest item if there is no room. */
struct history_item *history_add(struct history *history);

/* Adds an event like history_add(): copies its entry and words. */
struct history_item *history_add_event(struct history *history, const struct txtap_event *event);

/* Removes and returns the oldest item; NULL: the history is empty. The item is valid until the next history_add(). */
const struct history_item *history_take(struct history *history);

/* Drops items before since_us. True: all items from since_us on are still there. */
bool history_trim(struct history *history, uint64_t since_us);

#endif
