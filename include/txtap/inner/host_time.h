/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The functions of a struct txtap_clock, which makes 64-bit ticks, which never go back, of masked time stamps; and of a
 * struct txtap_host_time, which relates ticks to the host's clock.
 */
#ifndef TXTAP_INNER_HOST_TIME_H
#define TXTAP_INNER_HOST_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/clock.h"
#include "txtap/host_time.h"

/* ---- the clock ---- */

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

/* ---- the host's clock ---- */

/* tick_hz: the rate, believed to 100 ppm; 0: measure it. */
void txtap_host_time_init(struct txtap_host_time *time, double tick_hz);

/*
 * The target, and its counter, stand still whenever it is read. Then the host's clock does not tell the counter's rate,
 * and none is measured. To be called at any time; it has an effect from the next event on.
 */
void txtap_host_time_stops(struct txtap_host_time *time);

/*
 * The next events were written between from_us and to_us of the host's monotonic clock, in microseconds above 0.
 * from_us 0: there is no earliest time. Otherwise neither may be less than in an earlier call.
 */
void txtap_host_time_window(struct txtap_host_time *time, uint64_t from_us, uint64_t to_us);

/*
 * As txtap_clock_unwrap(), but adds the whole periods that passed since the last event: the number that fits window and
 * rate; if several fit, or none, the nearest. While the rate is unknown, it assumes at most one wrap, and adds missed
 * periods at the first event after the rate became known. Before the first window it equals txtap_clock_unwrap().
 */
uint64_t txtap_host_time_unwrap(struct txtap_host_time *time, struct txtap_clock *clock, uint32_t stamp);

/* As txtap_clock_restart(); the ticks that elapsed follow from the host's clock, or are 0 if the rate is unknown. */
void txtap_host_time_restart(struct txtap_host_time *time, struct txtap_clock *clock, uint32_t mask);

/*
 * When the last event was written, by the host's monotonic clock in microseconds: within its window, and never before
 * the preceding event. False if it may have been written before the reader started, or the bounds are more than a
 * second apart.
 */
bool txtap_host_time_last_us(const struct txtap_host_time *time, uint64_t *host_us);

/* May the ticks between the last two events have too few or too many whole periods? */
bool txtap_host_time_last_doubtful(const struct txtap_host_time *time);

/*
 * The measured rate, in ticks per second, is in *low..*high; a given rate has no influence on it. False, and both 0:
 * it is not known, or only to more than 5 %.
 */
bool txtap_host_time_rate(const struct txtap_host_time *time, double *low, double *high);

/* Was there a silence whose number of periods is uncertain? Then all later ticks are doubtful. */
bool txtap_host_time_doubtful(const struct txtap_host_time *time, const struct txtap_clock *clock);

#endif
