/* SPDX-License-Identifier: MIT */
/*
 * Decides whether the kernel's time is reliable, for kernels that make their time from SysTick's 24 bits. This file has
 * only arithmetic. SysTick is 0 for a moment when it is set and when it wraps. Zephyr up to 3.1 then counts one period
 * too many, for this moment or forever. In every version the time may go back a little in the tick's own interrupt.
 */
#ifndef TXTAP_CLOCK_H
#define TXTAP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Two periods of SysTick. The kernel's time never goes back by more than this. */
#define TXTAP_CLOCK_BACK_MAX (2u << 24)

/* Returns true if a time is reliable. The time was read between the values `before` and `after` of SysTick, which
 * counts down. The time is reliable if SysTick did not wrap and was not 0. */
static inline bool txtap_clock_is_steady(uint32_t before, uint32_t after)
{
    return after - 1 < before;
}

/* Returns the stamp for the time `now`. latest: the previous stamp. If `now` is earlier than `latest`, returns
 * `latest`, because a reader would treat a decreasing stamp as a wrap of 2^32. */
static inline uint32_t txtap_clock_step(uint32_t latest, uint32_t now)
{
    return latest - now < TXTAP_CLOCK_BACK_MAX ? latest : now;
}

#endif
