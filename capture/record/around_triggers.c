/* SPDX-License-Identifier: MIT */
/* Judges each item by the triggers, and decides whether to pass the item on, or to keep it in the history. */
#include "record/around_triggers.h"

#include <string.h>

#include "txtap/event.h"
#include "txtap/inner/interrupts.h"

static bool is_open(struct around_triggers *around)
{
    around->open = around->open && around->window_us <= around->open_until_us;
    return around->open;
}

/* Sets window_us from the event's ticks if the tick rate is known, otherwise from the time at which it was read. */
static void set_window_time(struct around_triggers *around, uint64_t ticks, uint64_t read_us)
{
    double tick_hz = around->setup.tick_hz;

    around->window_us = tick_hz > 0 ? (uint64_t)((double)ticks / tick_hz * 1e6) : read_us;
}

/* Finds the event's row in the same way as the exporters, because a trigger must accept every event name that txtap
 * shows. */
static const char *trigger_of(struct around_triggers *around, const struct txtap_event *event)
{
    const struct around_setup *setup = &around->setup;
    unsigned profile = setup->profile | (setup->registry->usbx ? 0 : TXTAP_PROFILE_USER_1025);
    const struct txtap_event_info *row = txtap_definitions_event(setup->definitions, event->id, profile);
    const char *interrupt = txtap_interrupts_shown(&around->interrupts, event, row);

    for (size_t i = 0; i < setup->trigger_count; i++)
        if (txtap_filter_passes(&setup->triggers[i].filter, setup->registry, event, row, interrupt))
            return setup->triggers[i].text;
    return NULL;
}

/* Returns the trigger whose condition the sample begins to fulfil; NULL: no such trigger. */
static const char *value_trigger_of(struct around_triggers *around, const struct txtap_sample *sample)
{
    const struct around_setup *setup = &around->setup;
    const char *text = NULL;

    for (size_t i = 0; i < setup->value_count; i++) {
        bool fulfils;

        if (!value_trigger_judge(&setup->values[i], sample, &fulfils))
            continue;
        if (fulfils && !around->fulfilled[i])
            text = setup->values[i].text;
        around->fulfilled[i] = fulfils;
    }
    return text;
}

/* Returns the event as far as a recording needs it. */
static struct txtap_event history_event(const struct history_item *item)
{
    struct txtap_event event = {.seq = item->seq,
                                .ticks = item->ticks,
                                .id = item->id,
                                .entry = item->entry,
                                .words = item->words,
                                .word_count = item->word_count};

    memcpy(event.info, item->info, sizeof event.info);
    return event;
}

/* Passes on the items in the history that are at most before_us old. */
static enum txtap_status put_history(struct around_triggers *around)
{
    uint64_t before_us = around->setup.before_us, now = around->window_us;
    const struct history_item *item;
    enum txtap_status status = TXTAP_OK;

    if (!history_trim(&around->history, now > before_us ? now - before_us : 0))
        around->short_histories++;
    while (status == TXTAP_OK && (item = history_take(&around->history))) {
        struct txtap_item old = {.kind = item->kind};

        if (item->kind == TXTAP_ITEM_GAP)
            old.gap = item->gap;
        else if (item->kind == TXTAP_ITEM_SAMPLE)
            old.sample = item->sample;
        else
            old.event = history_event(item);
        status = around->setup.put(around->setup.self, &old, item->us);
    }
    return status;
}

enum txtap_status around_triggers_fire(struct around_triggers *around, const char *text, uint64_t seq)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_MARK,
                                    .mark = {TXTAP_MARK_TRIGGER, seq, around->setup.wall_us(), text}};
    enum txtap_status status = is_open(around) ? TXTAP_OK : put_history(around);

    around->triggers++;
    around->open = true;
    around->open_until_us = around->window_us + around->setup.after_us;
    return status == TXTAP_OK ? around->setup.put(around->setup.self, &item, around->setup.now_us()) : status;
}

/* Keeps an item in the history. A gap or a sample gets the time of the event before it. */
static void keep(struct around_triggers *around, const struct txtap_item *item, uint64_t read_us)
{
    struct history_item *kept;

    if (item->kind == TXTAP_ITEM_EVENT)
        kept = history_add_event(&around->history, &item->event);
    else if (item->kind == TXTAP_ITEM_SAMPLE)
        kept = history_add_sample(&around->history, &item->sample);
    else
        kept = history_add(&around->history);
    kept->window_us = around->window_us;
    kept->us = read_us;
    kept->kind = item->kind;
    if (item->kind == TXTAP_ITEM_GAP)
        kept->gap = item->gap;
}

enum txtap_status around_triggers_take(struct around_triggers *around, const struct txtap_item *item, uint64_t read_us)
{
    bool is_event = item->kind == TXTAP_ITEM_EVENT;
    const char *trigger = NULL;
    enum txtap_status status = TXTAP_OK;

    if (is_event) {
        set_window_time(around, item->event.ticks, read_us);
        trigger = trigger_of(around, &item->event);
    }
    if (item->kind == TXTAP_ITEM_SAMPLE)
        trigger = value_trigger_of(around, &item->sample);
    if (trigger != NULL)
        status = around_triggers_fire(around, trigger, is_event ? item->event.seq : item->sample.seq);
    else if (item->kind == TXTAP_ITEM_MARK)
        status = put_history(around);
    else if (!is_open(around)) {
        keep(around, item, read_us);
        return TXTAP_OK;
    }
    return status == TXTAP_OK ? around->setup.put(around->setup.self, item, read_us) : status;
}

enum txtap_status around_triggers_restart(struct around_triggers *around)
{
    return put_history(around);
}

bool around_triggers_open(struct around_triggers *around, const struct around_setup *setup)
{
    *around = (struct around_triggers){.setup = *setup};
    txtap_interrupts_init(&around->interrupts, setup->definitions);
    return history_init(&around->history);
}

void around_triggers_free(struct around_triggers *around)
{
    history_free(&around->history);
}
