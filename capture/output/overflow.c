/* SPDX-License-Identifier: MIT */
/* What a slow reader or disk cost: a gap, once there is room again. */
#include "output/overflow.h"

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

void overflow_add_event(struct overflow *overflow, uint64_t seq)
{
    add(overflow, &(struct txtap_gap){.seq = seq, .lost = 1, .exact = true});
    overflow->events++;
}

void overflow_add_gap(struct overflow *overflow, const struct txtap_gap *gap)
{
    add(overflow, gap);
}

bool overflow_take(struct overflow *overflow, struct txtap_gap *gap)
{
    if (!overflow->any)
        return false;
    *gap = (struct txtap_gap){.seq = overflow->seq, .lost = overflow->lost, .exact = overflow->exact};
    if (!overflow->exact && overflow->has_estimate)
        gap->estimate = overflow->estimate;
    overflow->gaps++;
    overflow->lost = 0;
    overflow->any = false;
    return true;
}
