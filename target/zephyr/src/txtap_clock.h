/* SPDX-License-Identifier: MIT */
/*
 * What is believed of the kernel's time where it is made of SysTick's 24 bits: pure arithmetic. SysTick stands at 0 for
 * a moment when it is set and when it has come round. Zephyr up to 3.1 then counts a whole lap too many, for this
 * moment or for ever; every version may go back a little in the tick's own interrupt.
 */
#ifndef TXTAP_CLOCK_H
#define TXTAP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Two laps of SysTick: the kernel's time never goes back further. */
#define TXTAP_CLOCK_BACK_MAX (2u << 24)

/* What was read between these two values of SysTick, which counts down, is the time: there was no lap, and no 0. */
static inline bool txtap_clock_is_steady(uint32_t before, uint32_t after)
{
    return after - 1 < before;
}

/* The stamp after latest. Going back would be read as a lap of 2^32, so that latest stands until it is reached again.
 */
static inline uint32_t txtap_clock_step(uint32_t latest, uint32_t now)
{
    return latest - now < TXTAP_CLOCK_BACK_MAX ? latest : now;
}

#endif
