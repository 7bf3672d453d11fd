/* SPDX-License-Identifier: MIT */
/* Makes 64-bit ticks, which never go back, of masked time stamps. */
#ifndef TXTAP_CLOCK_H
#define TXTAP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/api.h"

TXTAP_API_BEGIN

struct txtap_clock {
    uint32_t mask;   /* of the control header */
    uint32_t last;   /* last stamp, masked */
    bool down;       /* the time source counts down; the caller may set it after init, before the first stamp */
    uint64_t period; /* of the counter, in ticks */
    uint64_t ticks;  /* from the first stamp to the last */
    bool restarted;  /* the next stamp does not continue from the last one */

    /* private: statistics for the notices */
    uint32_t highest;   /* highest stamp */
    uint64_t stamps;    /* number of stamps */
    uint64_t changes;   /* stamps that differ from the one before */
    uint64_t decreases; /* stamps below the one before */
    uint64_t single;    /* stamps one tick after the one before */
};

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

/* What is unusual about the stamps since init or settle, once there were enough of them to be sure. */
enum txtap_clock_notice {
    TXTAP_CLOCK_CONSTANT = 1u << 0,    /* all are equal: the time source does not run */
    TXTAP_CLOCK_SIMULATED = 1u << 1,   /* each is one more than the one before: it counts events, not time */
    TXTAP_CLOCK_BACKWARDS = 1u << 2,   /* they count down, but are unwrapped as counting up */
    TXTAP_CLOCK_DOWN = 1u << 3,        /* they count down, and are unwrapped so */
    TXTAP_CLOCK_NANOSECONDS = 1u << 4, /* they wrap at 10^9 */
};

/* A set of enum txtap_clock_notice; 0 if there is nothing unusual. */
unsigned txtap_clock_notices(const struct txtap_clock *clock);

/* One notice as a sentence without a full stop; "" for 0 or several. Static. */
const char *txtap_clock_notice_text(unsigned notice);

TXTAP_API_END

#endif
