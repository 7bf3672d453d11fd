/* SPDX-License-Identifier: MIT */
/* Counts the events and gaps of a file, and notes whether some may be lost unseen. */
#include "command/tally.h"

enum txtap_status tally_take(void *self, const struct txtap_item *item)
{
    const struct tally *tally = self;
    enum txtap_status status = txtap_sink_take(tally->next, item);

    if (status >= TXTAP_OK)
        stream_stats_count(tally->stats, item);
    if (item->kind == TXTAP_ITEM_GAP && !item->gap.exact && item->gap.estimate == 0)
        tally->stats->excess = STREAM_EXCESS_MAX; /* a file does not say how much larger the gap may be */
    if (item->kind == TXTAP_ITEM_MARK && item->mark.kind == TXTAP_MARK_UNSURE)
        tally->stats->unseen = true;
    return status;
}
