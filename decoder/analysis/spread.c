/* SPDX-License-Identifier: MIT */
/* Complete samples go to the histogram; the others are counted, and the longest is kept. */
#include "analysis/spread.h"

void spread_add(struct spread *spread, struct histogram_pool *pool, uint64_t value, uint64_t seq, uint64_t ticks)
{
    if (histogram_add_within(&spread->samples, pool, value))
        return;
    if (spread->samples.n == 0 || value < spread->samples.min)
        spread->min_ticks = ticks;
    if (spread->samples.n == 0 || value > spread->samples.max)
        spread->max_ticks = ticks;
    histogram_add(&spread->samples, pool, value, seq);
}

void spread_cut(struct spread *spread, uint64_t value, uint64_t seq, uint64_t ticks)
{
    if (spread->cut++ > 0 && value <= spread->cut_longest)
        return;
    spread->cut_longest = value;
    spread->cut_seq = seq;
    spread->cut_ticks = ticks;
}
