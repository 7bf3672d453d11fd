/* SPDX-License-Identifier: MIT */
/*
 * Masked stamps to ticks. Knows only the mask and the last stamp: a stamp below the last one has wrapped, once (above
 * it, when counting down). How long a tick is, and how many periods really passed between two stamps, nobody here can
 * know.
 */
#include "txtap/clock.h"

#include <string.h>

/* Fewer equal stamps than this prove nothing: a kernel writes several entries within one tick of a slow timer. */
#define CONSTANT_STAMPS_MIN 64

/* Fewer steps than this are no majority: one long silence looks like a step back. */
#define DIRECTION_CHANGES_MIN 16

void txtap_clock_init(struct txtap_clock *clock, uint32_t mask)
{
    memset(clock, 0, sizeof(*clock));
    clock->mask = mask;
}

/* The smallest 2^n - 1 that covers the mask: what the counter wraps at, even if a broken mask has holes. */
static uint32_t wrap_mask(uint32_t mask)
{
    mask |= mask >> 1;
    mask |= mask >> 2;
    mask |= mask >> 4;
    mask |= mask >> 8;
    mask |= mask >> 16;
    return mask;
}

uint64_t txtap_clock_unwrap(struct txtap_clock *clock, uint32_t stamp)
{
    stamp &= clock->mask;
    if (clock->stamps > 0 && stamp != clock->last) {
        uint32_t wrap = wrap_mask(clock->mask), up = (stamp - clock->last) & wrap, down = (clock->last - stamp) & wrap;

        clock->ticks += clock->down ? down : up;
        clock->changes++;
        clock->backwards += down < up;
    }
    clock->last = stamp;
    clock->stamps++;
    return clock->ticks;
}

bool txtap_clock_is_constant(const struct txtap_clock *clock)
{
    return clock->stamps >= CONSTANT_STAMPS_MIN && clock->changes == 0;
}

bool txtap_clock_seems_down(const struct txtap_clock *clock)
{
    return clock->changes >= DIRECTION_CHANGES_MIN && clock->backwards > clock->changes / 2;
}
