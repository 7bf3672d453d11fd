/* SPDX-License-Identifier: MIT */
/* Keeps copies of items, with the bytes that they point to. */
#include "command/hold.h"

#include <stdlib.h>
#include <string.h>

struct held_item {
    struct txtap_item item;
    uint8_t entry[TXTB_ENTRY_BYTES];
    void *more; /* the words of an event, the text of a mark, or bytes; NULL: the item has no such part */
};

/* Copies bytes. NULL: no memory, or no bytes. */
static void *copy(const void *bytes, size_t length)
{
    void *copied = bytes != NULL ? malloc(length + 1) : NULL;

    if (copied != NULL)
        memcpy(copied, bytes, length);
    return copied;
}

/* Returns false if there is no memory. */
static bool keep(struct held_item *held, const struct txtap_item *item)
{
    bool complete = true;

    *held = (struct held_item){.item = *item};
    if (item->kind == TXTAP_ITEM_EVENT && item->event.entry != NULL) {
        memcpy(held->entry, item->event.entry, sizeof held->entry);
        held->item.event.entry = held->entry;
    }
    if (item->kind == TXTAP_ITEM_EVENT && item->event.words != NULL) {
        held->item.event.words = held->more =
            copy(item->event.words, item->event.word_count * sizeof *item->event.words);
        complete = held->more != NULL;
    }
    if (item->kind == TXTAP_ITEM_MARK) {
        held->item.mark.text = held->more = copy(item->mark.text, strlen(item->mark.text) + 1);
        complete = held->more != NULL;
    }
    if (item->kind == TXTAP_ITEM_BYTES) {
        held->item.bytes.at = held->more = copy(item->bytes.at, item->bytes.length);
        complete = held->more != NULL;
    }
    return complete;
}

/* Returns false if an array of the items would be too large, or there is no memory. */
static bool has_room(struct hold *hold)
{
    size_t capacity = hold->capacity > 0 ? 2 * hold->capacity : 1024;
    struct held_item *items;

    if (hold->count < hold->capacity)
        return true;
    if (hold->count == HOLD_ITEMS_MAX)
        return false;
    items = realloc(hold->items, capacity * sizeof *items);
    if (items == NULL)
        return false;
    for (size_t i = 0; i < hold->count; i++) /* the array may have moved */
        if (items[i].item.kind == TXTAP_ITEM_EVENT && items[i].item.event.entry != NULL)
            items[i].item.event.entry = items[i].entry;
    hold->items = items;
    hold->capacity = capacity;
    return true;
}

enum txtap_status hold_take(void *self, const struct txtap_item *item)
{
    struct hold *hold = self;

    if (hold->holds && has_room(hold) && keep(&hold->items[hold->count], item)) {
        if (hold->count++ == 0)
            hold->since_us = hold->now_us();
        return TXTAP_OK;
    }
    if (hold->holds) {
        enum txtap_status status = hold_end(hold);

        if (status != TXTAP_OK)
            return status;
    }
    return txtap_sink_take(hold->next, item);
}

bool hold_is_over(const struct hold *hold)
{
    return hold->count > 0 && hold->now_us() - hold->since_us >= HOLD_US;
}

enum txtap_status hold_end(struct hold *hold)
{
    enum txtap_status status;

    if (!hold->holds)
        return TXTAP_OK;
    hold->holds = false;
    status = hold->begin(hold->self);
    for (size_t i = 0; i < hold->count; i++) {
        if (status == TXTAP_OK)
            status = txtap_sink_take(hold->next, &hold->items[i].item);
        free(hold->items[i].more);
    }
    free(hold->items);
    hold->items = NULL;
    hold->count = hold->capacity = 0;
    return status;
}
