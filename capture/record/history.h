/* SPDX-License-Identifier: MIT */
/* The newest events and gaps that were not recorded, for the trigger that may come: a ring of fixed size. */
#ifndef TXTAP_CAPTURE_RECORD_HISTORY_H
#define TXTAP_CAPTURE_RECORD_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/item.h"
#include "txtap/txtb.h"

#define HISTORY_ITEMS 65536u  /* 8 MiB */
#define HISTORY_WORDS 524288u /* of events that have more or fewer than four: 2 MiB */

struct history_item {
    uint64_t window_us; /* when it was, as the caller measures what is old */
    uint64_t us;        /* when it was read */
    uint64_t seq;       /* of an event */
    uint64_t ticks;     /* of an event */
    bool is_gap;        /* not an event */
    struct txtap_gap gap;
    uint8_t entry[TXTB_ENTRY_BYTES];
    const uint32_t *words; /* of an event that has more or fewer than four; else NULL */
    uint32_t word_count;
    uint64_t words_at; /* position in the circle of words: none before it is of this item or a newer one */
};

struct history {
    struct history_item *items;
    uint32_t *words;
    uint64_t words_end; /* behind the newest; position p is in words[p % HISTORY_WORDS] */
    uint32_t first, count;
    uint64_t pushed_out_us; /* window_us of the newest item that there was no room for; 0: none */
};

/* False: out of memory. */
bool history_init(struct history *history);
void history_free(struct history *history);

/* The slot for one item more, behind all others; the oldest one makes room if need be. */
struct history_item *history_add(struct history *history);

/* The same for an event, with its entry and words. */
struct history_item *history_add_event(struct history *history, const struct txtap_event *event);

/* The oldest item, which is taken out; NULL if there is none. Valid until the next call of history_add(). */
const struct history_item *history_take(struct history *history);

/* Forgets what was before then. True if nothing that was since then is missing for want of room. */
bool history_trim(struct history *history, uint64_t since_us);

#endif
