/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Functions of struct txtap_clock and struct txtap_host_time. A struct txtap_clock makes 64-bit ticks, which never
 * decrease, from masked time stamps. A struct txtap_host_time relates ticks to the host's clock.
 */
#ifndef TXTAP_INNER_HOST_TIME_H
#define TXTAP_INNER_HOST_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/clock.h"
#include "txtap/host_time.h"

/* ---- the clock ---- */

/* Starts a clock at tick 0. mask: the header's timer_mask, normally 2^n - 1; the function fills holes in the mask. */
void txtap_clock_init(struct txtap_clock *clock, uint32_t mask);

/*
 * Returns the ticks since the first stamp, in units of the target's time source. stamp: as recorded; bits outside the
 * mask are ignored. Call it once for each event, in order. The function does not notice that a silence was longer than
 * the counter's period.
 *
 * If 32-bit stamps jump from just below 10^9 to just above 0, and no stamp was ever larger, the counter counts
 * nanoseconds and wraps at 10^9, as in ThreadX's Linux port (ports/linux/gnu/inc/tx_port.h). The period is then 10^9.
 */
uint64_t txtap_clock_unwrap(struct txtap_clock *clock, uint32_t stamp);

/*
 * Sets the ticks of the next stamp if the caller knows them, for example after a pause. Has no effect if the clock
 * itself would compute these ticks.
 */
void txtap_clock_set(struct txtap_clock *clock, uint32_t stamp, uint64_t ticks);

/*
 * Restarts the clock after a reset of the time source. The next stamp counts as `elapsed` ticks after the last stamp;
 * the value of the next stamp does not matter. Direction, period and notices stay the same. mask: of the current
 * header.
 */
void txtap_clock_restart(struct txtap_clock *clock, uint32_t mask, uint64_t elapsed);

/*
 * Sets direction and period from the stamps so far, and restarts at tick 0. For data that can be read twice: call the
 * function after some or all stamps were unwrapped once. The buffer does not record whether the time source counts up
 * or down. Like TraceX (tml_library.cpp, tml_initialize), txtap assumes that the time source counts down if more stamps
 * decrease than increase. Unlike TraceX, txtap assumes that it counts up if both numbers are equal, or if there are
 * fewer than three steps.
 */
void txtap_clock_settle(struct txtap_clock *clock);

/* ---- the host's clock ---- */

/* Starts without events. tick_hz: the rate, assumed to be accurate to 100 ppm; 0: measure the rate. */
void txtap_host_time_init(struct txtap_host_time *time, double tick_hz);

/*
 * Notes that each read stops the target and its counter. The host's clock then does not show the counter's rate, so no
 * rate is measured. The function may be called at any time, and takes effect with the next event.
 */
void txtap_host_time_stops(struct txtap_host_time *time);

/*
 * Sets the window of the next events: they were written between from_us and to_us of the host's monotonic clock, in
 * microseconds above 0. from_us 0: the earliest time is unknown. In all other calls, neither value may be less than its
 * value in an earlier call.
 */
void txtap_host_time_window(struct txtap_host_time *time, uint64_t from_us, uint64_t to_us);

/*
 * Like txtap_clock_unwrap(), but adds the whole counter periods that passed since the last event. The function chooses
 * the number of periods that fits the window and the rate. If several numbers fit, or if no number fits, it chooses the
 * nearest number. While the rate is unknown, it assumes at most one wrap. At the first event after the rate became
 * known, it adds the periods that it missed before. Before the first window, it returns the result of
 * txtap_clock_unwrap().
 */
uint64_t txtap_host_time_unwrap(struct txtap_host_time *time, struct txtap_clock *clock, uint32_t stamp);

/* Like txtap_clock_restart(). The elapsed ticks follow from the host's clock, or are 0 if the rate is unknown. */
void txtap_host_time_restart(struct txtap_host_time *time, struct txtap_clock *clock, uint32_t mask);

/*
 * Sets *host_us to the time at which the last event was written, in microseconds of the host's monotonic clock. This
 * time is within the event's window, and not before the time of the preceding event. Returns false if the event may
 * have been written before the reader started, or if the bounds of the time are more than a second apart.
 */
bool txtap_host_time_last_us(const struct txtap_host_time *time, uint64_t *host_us);

/* Ticks between which a moment lies. */
struct txtap_ticks_window {
    uint64_t from, to; /* 0, UINT64_MAX: no bound */
    uint64_t likely;
};

/*
 * Returns the ticks of a moment between two times of the host's monotonic clock, in microseconds, near the last event.
 * clock: has unwrapped the stamp of the last event. If the rate is unknown, there are no bounds, and `likely` is the
 * last event's ticks.
 */
struct txtap_ticks_window txtap_host_time_ticks(const struct txtap_host_time *time, const struct txtap_clock *clock,
                                                uint64_t from_us, uint64_t to_us);

/* Returns true if the ticks between the last two events may have too few or too many whole periods. */
bool txtap_host_time_last_doubtful(const struct txtap_host_time *time);

/*
 * Sets *low and *high to bounds of the measured rate, in ticks per second. A rate that the user gave has no influence
 * on these bounds. Returns false and sets both to 0 if the rate is unknown, or if its bounds are more than 5 % apart.
 */
bool txtap_host_time_rate(const struct txtap_host_time *time, double *low, double *high);

/* Returns the seconds of host time over which the rate was measured; 0: it was not measured. */
double txtap_host_time_rate_seconds(const struct txtap_host_time *time);

/*
 * Returns true if the number of counter periods in any silence was uncertain. All ticks after such a silence are
 * doubtful.
 */
bool txtap_host_time_doubtful(const struct txtap_host_time *time, const struct txtap_clock *clock);

#endif
