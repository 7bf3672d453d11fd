/* SPDX-License-Identifier: MIT */
/* Complete samples go to the histogram; the others are counted, and the longest is kept. */
#include "figures/spread.h"

#include "base/min_max.h"

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

void spread_add_vague(struct spread *spread, struct vague *vague, struct histogram_pool *pool, const uint64_t bounds[2],
                      uint64_t value, uint64_t seq, uint64_t ticks)
{
    spread_add(spread, pool, value, seq, ticks);
    vague->low_min = vague->n > 0 ? min_u64(vague->low_min, bounds[0]) : bounds[0];
    vague->low_max = max_u64(vague->low_max, bounds[0]);
    vague->high_min = vague->n > 0 ? min_u64(vague->high_min, bounds[1]) : bounds[1];
    vague->high_max = max_u64(vague->high_max, bounds[1]);
    vague->less += value - bounds[0];
    vague->more =
        bounds[1] == UINT64_MAX ? UINT64_MAX : vague->more + min_u64(bounds[1] - value, UINT64_MAX - vague->more);
    vague->n++;
}

void spread_perhaps(struct vague *vague, uint64_t most)
{
    vague->high_max = max_u64(vague->high_max, most);
    if (vague->perhaps < UINT64_MAX)
        vague->perhaps++;
}

void spread_doubt(const struct spread *spread, struct vague *vague, const uint64_t high[2], uint64_t more)
{
    if (spread->samples.n == 0)
        return;
    *vague = (struct vague){
        .n = spread->samples.n, .high_min = high[0], .high_max = high[1], .less = spread->samples.sum, .more = more};
}
