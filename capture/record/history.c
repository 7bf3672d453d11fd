/* SPDX-License-Identifier: MIT */
/* Keeps the last events before a trigger in memory. */
#include "record/history.h"

#include <stdlib.h>
#include <string.h>

bool history_init(struct history *history)
{
    memset(history, 0, sizeof *history);
    history->items = calloc(HISTORY_ITEMS, sizeof *history->items);
    history->words = calloc(HISTORY_WORDS, sizeof *history->words);
    return history->items != NULL && history->words != NULL;
}

void history_free(struct history *history)
{
    free(history->items);
    free(history->words);
    history->items = NULL;
    history->words = NULL;
}

struct history_item *history_add(struct history *history)
{
    struct history_item *item;

    if (history->count == HISTORY_ITEMS)
        history->pushed_out_us = history_take(history)->window_us;
    item = &history->items[(history->first + history->count++) % HISTORY_ITEMS];
    *item = (struct history_item){.words_at = history->words_end};
    return item;
}

/* Reserves `count` contiguous words, and returns their position. Drops the oldest items to make room. */
static uint64_t make_room(struct history *history, size_t count)
{
    uint64_t at = history->words_end;

    if (at % HISTORY_WORDS + count > HISTORY_WORDS)
        at += HISTORY_WORDS - at % HISTORY_WORDS;
    history->words_end = at + count;
    while (history->count > 0 && history->words_end - history->items[history->first].words_at > HISTORY_WORDS)
        history->pushed_out_us = history_take(history)->window_us;
    return at;
}

struct history_item *history_add_event(struct history *history, const struct txtap_event *event)
{
    uint64_t at = event->words != NULL ? make_room(history, event->word_count) : 0;
    struct history_item *item = history_add(history);

    if (event->words != NULL) {
        uint32_t *words = history->words + at % HISTORY_WORDS;

        memcpy(words, event->words, event->word_count * sizeof *words);
        item->words = words;
        item->word_count = (uint32_t)event->word_count;
        item->words_at = at;
    }
    memcpy(item->entry, event->entry, sizeof item->entry);
    item->seq = event->seq;
    item->ticks = event->ticks;
    item->id = event->id;
    memcpy(item->info, event->info, sizeof item->info);
    return item;
}

struct history_item *history_add_sample(struct history *history, const struct txtap_sample *sample)
{
    size_t bytes = strlen(sample->text) + 1;
    uint64_t at = make_room(history, (bytes + sizeof *history->words - 1) / sizeof *history->words);
    struct history_item *item = history_add(history);
    char *text = (char *)(history->words + at % HISTORY_WORDS);

    memcpy(text, sample->text, bytes);
    item->kind = TXTAP_ITEM_SAMPLE;
    item->sample = *sample;
    item->sample.text = text;
    item->words_at = at;
    return item;
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
