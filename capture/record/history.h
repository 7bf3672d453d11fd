/* SPDX-License-Identifier: MIT */
/* A ring of fixed size with the newest events, gaps and samples before a trigger. They are recorded if a trigger
 * comes. */
#ifndef TXTAP_CAPTURE_RECORD_HISTORY_H
#define TXTAP_CAPTURE_RECORD_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/item.h"
#include "txtap/txtb.h"

#define HISTORY_ITEMS 65536u  /* 10 MiB */
#define HISTORY_WORDS 524288u /* words of events with more or fewer than four words, and texts of samples: 2 MiB */

struct history_item {
    uint64_t window_us;        /* time of the item on the caller's clock, for history_trim() */
    uint64_t us;               /* time at which the item was read */
    uint64_t seq;              /* event: its seq */
    uint64_t ticks;            /* event: its ticks */
    uint32_t id, info[4];      /* event: its id, and its first words */
    enum txtap_item_kind kind; /* EVENT, GAP or SAMPLE; selects the valid member of the union */
    union {
        uint8_t entry[TXTB_ENTRY_BYTES];
        struct txtap_gap gap;
        struct txtap_sample sample; /* its text is in the ring `words` */
    };
    const uint32_t *words; /* all words of an event with more or fewer than four words; otherwise NULL */
    uint32_t word_count;
    uint64_t words_at; /* position in the ring `words`: this item and all newer items use words from here on */
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

/* Adds a sample like history_add(): copies its text. */
struct history_item *history_add_sample(struct history *history, const struct txtap_sample *sample);

/* Removes and returns the oldest item; NULL: the history is empty. The item is valid until the next history_add(). */
const struct history_item *history_take(struct history *history);

/* Drops all items with window_us below since_us. False: an item from since_us on had been dropped for lack of room. */
bool history_trim(struct history *history, uint64_t since_us);

#endif
