/* SPDX-License-Identifier: MIT */
/* Sinks that pass items on: the events that a filter selects, a limited number of events, or items while there is room.
 */
#include "output/sinks.h"

#include "txtap/inner/interrupts.h"

/* ---- choice ---- */

static bool passes_all(const struct txtap_filter *filter)
{
    return filter->count == 0 && filter->contexts == 0 && filter->from_ticks == 0 && filter->to_ticks == UINT64_MAX;
}

/* Finds the row in the same way as the exporters, so every name that is shown can also be used in a filter. */
static const struct txtap_event_info *row_of(const struct choice *choice, uint32_t id)
{
    unsigned profile = choice->profile | (choice->registry->usbx ? 0 : TXTAP_PROFILE_USER_1025);

    return txtap_definitions_event(choice->definitions, id, profile);
}

enum txtap_status choice_take(void *self, const struct txtap_item *item)
{
    struct choice *choice = self;
    const struct txtap_event_info *row;
    const char *interrupt;

    if (item->kind == TXTAP_ITEM_SAMPLE &&
        (item->sample.ticks < choice->filter->from_ticks || item->sample.ticks > choice->filter->to_ticks))
        return TXTAP_OK;
    if (item->kind != TXTAP_ITEM_EVENT || passes_all(choice->filter))
        return txtap_sink_take(choice->next, item);
    row = row_of(choice, item->event.id);
    interrupt = txtap_interrupts_shown(choice->interrupts, &item->event, row);
    if (txtap_filter_passes(choice->filter, choice->registry, &item->event, row, interrupt))
        return txtap_sink_take(choice->next, item);
    choice->left_out++;
    choice->undecided += txtap_filter_undecided(choice->filter, choice->registry, &item->event, row, interrupt);
    return TXTAP_OK;
}

/* ---- limit ---- */

enum txtap_status limit_take(void *self, const struct txtap_item *item)
{
    struct limit *limit = self;
    enum txtap_status status = txtap_sink_take(limit->next, item);

    if (item->kind != TXTAP_ITEM_EVENT)
        return status;
    limit->events++;
    return status == TXTAP_OK && limit->events == limit->most ? TXTAP_END : status;
}

/* ---- overflow ---- */

static void add(struct overflow *overflow, const struct txtap_gap *gap)
{
    if (!overflow->any) {
        overflow->any = true;
        overflow->seq = gap->seq;
        overflow->exact = overflow->has_estimate = true;
        overflow->estimate = 0;
    }
    overflow->lost += gap->lost;
    overflow->exact = overflow->exact && gap->exact;
    overflow->estimate += gap->exact ? gap->lost : gap->estimate;
    overflow->has_estimate = overflow->has_estimate && (gap->exact || gap->estimate > 0);
}

enum txtap_status overflow_flush(struct overflow *overflow)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_GAP};

    if (!overflow->any)
        return TXTAP_OK;
    item.gap = (struct txtap_gap){.seq = overflow->seq, .lost = overflow->lost, .exact = overflow->exact};
    if (!overflow->exact && overflow->has_estimate)
        item.gap.estimate = overflow->estimate;
    overflow->gaps++;
    overflow->lost = 0;
    overflow->any = false;
    return txtap_sink_take(overflow->next, &item);
}

static enum txtap_status lose(struct overflow *overflow, const struct txtap_item *item)
{
    const struct txtap_gap one = {.seq = item->event.seq, .lost = 1, .exact = true};
    const struct txtap_gap *gap = item->kind == TXTAP_ITEM_EVENT ? &one : &item->gap;
    enum txtap_status status = TXTAP_OK;

    overflow->events += item->kind == TXTAP_ITEM_EVENT;
    if (overflow->apart && overflow->lost > 0 && gap->seq != overflow->seq + overflow->lost)
        status = overflow_flush(overflow);
    add(overflow, gap);
    return status;
}

enum txtap_status overflow_take(void *self, const struct txtap_item *item)
{
    struct overflow *overflow = self;
    enum txtap_status status = TXTAP_OK;

    if ((item->kind == TXTAP_ITEM_EVENT || item->kind == TXTAP_ITEM_GAP) &&
        !overflow->has_room(overflow->self, overflow->lost > 0))
        return lose(overflow, item);
    if (item->kind == TXTAP_ITEM_SAMPLE && !overflow->has_room(overflow->self, overflow->lost > 0)) {
        overflow->samples++;
        return TXTAP_OK;
    }
    if (overflow->any)
        status = overflow_flush(overflow);
    return status == TXTAP_OK ? txtap_sink_take(overflow->next, item) : status;
}
