/* SPDX-License-Identifier: MIT */
/* What a file has: events, gaps, and that some may be lost unseen. */
#include "command/tally.h"

static void count_gap(struct stream_stats *stats, const struct txtap_gap *gap)
{
    stats->lost += gap->lost;
    stats->lost_estimate += gap->estimate > 0 ? gap->estimate : gap->lost;
    stats->lost_exact = stats->lost_exact && gap->exact;
    stats->gaps++;
    if (!gap->exact && gap->estimate == 0)
        stats->excess = STREAM_EXCESS_MAX; /* a file does not say */
}

enum txtap_status tally_take(void *self, const struct txtap_item *item)
{
    const struct tally *tally = self;
    enum txtap_status status = txtap_sink_take(tally->next, item);

    tally->stats->events += item->kind == TXTAP_ITEM_EVENT && status >= TXTAP_OK;
    if (item->kind == TXTAP_ITEM_GAP)
        count_gap(tally->stats, &item->gap);
    if (item->kind == TXTAP_ITEM_MARK && item->mark.kind == TXTAP_MARK_UNSURE)
        tally->stats->unseen = true;
    return status;
}
