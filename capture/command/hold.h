/* SPDX-License-Identifier: MIT */
/* A sink that keeps the first items for a moment, until it is known how to show their times. */
#ifndef TXTAP_CAPTURE_COMMAND_HOLD_H
#define TXTAP_CAPTURE_COMMAND_HOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/item.h"

#define HOLD_US        200000u /* longest time for which an item is kept */
#define HOLD_ITEMS_MAX 65536u

struct held_item;

struct hold {
    bool holds;             /* items are kept */
    uint64_t since_us;      /* time of the first kept item; 0: no item */
    struct txtap_sink next; /* set by begin() */
    /* Decides, and opens `next`. Called once, when the hold ends. */
    enum txtap_status (*begin)(void *self);
    void *self;
    uint64_t (*now_us)(void);
    struct held_item *items; /* count of them */
    size_t count, capacity;
};

/* Takes an item. A sink's function: self is a struct hold. If no further item can be kept, the hold ends. */
enum txtap_status hold_take(void *self, const struct txtap_item *item);

/* Returns true if the oldest item has been kept for HOLD_US. */
bool hold_is_over(const struct hold *hold);

/* Ends the hold: calls begin(), and passes on all items. Further items are passed on at once. Returns the first status
 * that is not TXTAP_OK. No effect if nothing is held any more. */
enum txtap_status hold_end(struct hold *hold);

#endif
