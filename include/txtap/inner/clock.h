/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The functions of a struct txtap_clock: 64-bit ticks, which never go back, of masked time stamps.
 */
#ifndef TXTAP_INNER_CLOCK_H
#define TXTAP_INNER_CLOCK_H

#include <stdint.h>

#include "txtap/clock.h"

/* mask: the header's timer_mask, 2^n - 1; holes in it are filled. Starts at tick 0. */
void txtap_clock_init(struct txtap_clock *clock, uint32_t mask);

/*
 * Ticks since the first stamp, in the units of the target's time source. stamp: as recorded; bits outside of the mask
 * are ignored. Call it once for each event, in order. A silence longer than the counter's period goes unnoticed. If
 * 32-bit stamps go from close below 10^9 to close above 0, and none was ever larger, the counter counts nanoseconds and
 * wraps at 10^9, as in ThreadX's Linux port (ports/linux/gnu/inc/tx_port.h): the period is then 10^9.
 */
uint64_t txtap_clock_unwrap(struct txtap_clock *clock, uint32_t stamp);

/*
 * Sets the ticks of the next stamp if they are known otherwise, for example after a pause. Changes nothing if the clock
 * would find the same ticks.
 */
void txtap_clock_set(struct txtap_clock *clock, uint32_t stamp, uint64_t ticks);

/*
 * The time source restarted (a reset): the next stamp, whatever its value, comes elapsed ticks after the last one.
 * Direction, period and notices stay. mask: of the present header.
 */
void txtap_clock_restart(struct txtap_clock *clock, uint32_t mask, uint64_t elapsed);

/*
 * For data that can be read twice: call it after some or all stamps were unwrapped once. It sets direction and period
 * by those stamps, and restarts at tick 0. Nothing in the buffer records whether the time source counts down; as in
 * TraceX (tml_library.cpp, tml_initialize), it does if there are more decreases than increases. Unlike in TraceX, it
 * does not if there are as many of both, or fewer than three steps.
 */
void txtap_clock_settle(struct txtap_clock *clock);

#endif
