/* SPDX-License-Identifier: MIT */
/* Makes a gap of what a slow reader or disk cost, once there is room again. */
#include "output/sinks.h"

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

static enum txtap_status lose(struct overflow *overflow, const struct txtap_gap *gap)
{
    enum txtap_status status = TXTAP_OK;

    if (overflow->apart && overflow->lost > 0 && gap->seq != overflow->seq + overflow->lost)
        status = overflow_flush(overflow);
    add(overflow, gap);
    return status;
}

enum txtap_status overflow_take(void *self, const struct txtap_item *item)
{
    struct overflow *overflow = self;
    bool is_event = item->kind == TXTAP_ITEM_EVENT;
    struct txtap_gap one = {.lost = 1, .exact = true};
    enum txtap_status status;

    if ((is_event || item->kind == TXTAP_ITEM_GAP) && !overflow->has_room(overflow->self, overflow->lost > 0)) {
        overflow->events += is_event;
        one.seq = item->event.seq;
        return lose(overflow, is_event ? &one : &item->gap);
    }
    status = overflow_flush(overflow);
    return status == TXTAP_OK ? txtap_sink_take(overflow->next, item) : status;
}
