/* SPDX-License-Identifier: MIT */
/* The last events before a trigger, in memory. */
#include "record/history.h"

#include <stdlib.h>
#include <string.h>

bool history_init(struct history *history)
{
    memset(history, 0, sizeof *history);
    history->items = calloc(HISTORY_ITEMS, sizeof *history->items);
    return history->items != NULL;
}

void history_free(struct history *history)
{
    free(history->items);
    history->items = NULL;
}

struct history_item *history_add(struct history *history)
{
    if (history->count == HISTORY_ITEMS)
        history->pushed_out_us = history_take(history)->window_us;
    return &history->items[(history->first + history->count++) % HISTORY_ITEMS];
}

const struct history_item *history_take(struct history *history)
{
    const struct history_item *item = &history->items[history->first];

    if (history->count == 0)
        return NULL;
    history->first = (history->first + 1) % HISTORY_ITEMS;
    history->count--;
    return item;
}

bool history_trim(struct history *history, uint64_t since_us)
{
    while (history->count > 0 && history->items[history->first].window_us < since_us)
        (void)history_take(history);
    return history->pushed_out_us == 0 || history->pushed_out_us < since_us;
}
