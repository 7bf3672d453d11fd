/* SPDX-License-Identifier: MIT */
/* Both limits are set once: the first block that reaches a limit sets it. */
#include "file/wall_range.h"

void wall_range_init(struct wall_range *range, uint64_t since_us, uint64_t until_us, uint64_t given_from,
                     uint64_t given_to)
{
    *range = (struct wall_range){since_us, until_us, since_us > 0 ? UINT64_MAX : 0, UINT64_MAX, given_from, given_to};
}

/* Returns the ticks of a time in the block. */
static uint64_t ticks_at(const struct txtap_recording_item *block, uint64_t unix_us, double tick_hz)
{
    double ticks = (double)(unix_us - block->unix_us) * tick_hz / 1e6;

    return ticks < (double)(UINT64_MAX - block->ticks) ? block->ticks + (uint64_t)ticks : UINT64_MAX - 1;
}

void wall_range_take(struct wall_range *range, const struct txtap_recording_item *block, double tick_hz)
{
    uint64_t first = block->unix_us, last = block->unix_us + block->span_us;

    if (block->type != TXTAP_RECORDING_EVENTS || first == 0 || last < first)
        return;
    if (range->from_ticks == UINT64_MAX && last >= range->since_us)
        range->from_ticks = range->since_us > first ? ticks_at(block, range->since_us, tick_hz) : block->ticks;
    if (range->until_us == 0 || range->to_ticks < UINT64_MAX || range->until_us >= last)
        return;
    if (range->until_us >= first && tick_hz > 0)
        range->to_ticks = ticks_at(block, range->until_us, tick_hz);
    else if (range->until_us < first && block->ticks > 0)
        range->to_ticks = block->ticks - 1;
    else if (range->until_us < first)
        range->from_ticks = UINT64_MAX; /* the recording begins after the range */
}

void wall_range_limit(const struct wall_range *range, uint64_t *from_ticks, uint64_t *to_ticks)
{
    *from_ticks = range->from_ticks > range->given_from ? range->from_ticks : range->given_from;
    *to_ticks = range->to_ticks < range->given_to ? range->to_ticks : range->given_to;
}

enum txtap_status wall_range_refuse(uint64_t since_us, uint64_t until_us, const char *name, struct error *error)
{
    if (since_us == 0 && until_us == 0)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_USAGE,
                   "%.120s: only a recording has the host's time, which --since and --until need\nuse --from and --to",
                   name);
}
