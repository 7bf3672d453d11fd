/* SPDX-License-Identifier: MIT */
/* Masked time stamps become 64-bit ticks that never go back. */
#ifndef TXTAP_CLOCK_H
#define TXTAP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/api.h"

TXTAP_API_BEGIN

struct txtap_clock {
    uint32_t mask;   /* of the control header */
    uint32_t last;   /* last stamp seen, masked */
    bool down;       /* the time source counts down; the caller may set it after init, before the first stamp */
    uint64_t period; /* of the counter, in ticks: what a stamp that has wrapped is ahead by */
    uint64_t ticks;  /* of the last stamp, since the first one */
    bool restarted;  /* the next stamp has nothing to do with the last one */

    uint32_t highest;   /* stamp seen */
    uint64_t stamps;    /* seen so far */
    uint64_t changes;   /* of them, different from the one before */
    uint64_t decreases; /* of these, below it */
    uint64_t single;    /* of them, one tick after the one before */
};

/* mask: the header's timer_mask, 2^n - 1; one with holes is taken as the next that has none. The clock is at tick 0. */
void txtap_clock_init(struct txtap_clock *clock, uint32_t mask);

/*
 * Ticks since the first stamp given, in the units of the target's time source. stamp: as recorded; bits outside of the
 * mask are ignored. To be called for each event once, in their order. A silence longer than the counter's period cannot
 * be seen here. A 32-bit stamp that goes from close below 10^9 to close above 0, while none was ever larger, comes from
 * a counter of nanoseconds that wraps there, as ThreadX's Linux port has it (ports/linux/gnu/inc/tx_port.h): the period
 * is then 10^9.
 */
uint64_t txtap_clock_unwrap(struct txtap_clock *clock, uint32_t stamp);

/*
 * Says what the next stamp stands for, where that is known from elsewhere: after a pause, say. If the clock would say
 * the same by itself, nothing changes.
 */
void txtap_clock_set(struct txtap_clock *clock, uint32_t stamp, uint64_t ticks);

/*
 * The time source restarted (a reset): the next stamp, whatever it is, is elapsed ticks after the last one. The
 * direction, the period and the notices stay. mask: of the header as it is now.
 */
void txtap_clock_restart(struct txtap_clock *clock, uint32_t mask, uint64_t elapsed);

/*
 * For what can be read twice: after all stamps, or the first of them, were unwrapped once, sets direction and period
 * by what they say, and restarts at tick 0. Nothing in the buffer tells whether the time source counts down; as in
 * TraceX more decreases than increases say so (tml_library.cpp, tml_initialize), but a tie or fewer than three steps
 * do not: TraceX takes a capture with as many of both for one that counts down.
 */
void txtap_clock_settle(struct txtap_clock *clock);

/* What is odd about the stamps seen since init or settle, each said once enough of them were seen. */
enum txtap_clock_notice {
    TXTAP_CLOCK_CONSTANT = 1u << 0,    /* all are equal: the time source does not run */
    TXTAP_CLOCK_SIMULATED = 1u << 1,   /* each is one more than the one before: a count of entries, no time */
    TXTAP_CLOCK_BACKWARDS = 1u << 2,   /* they count down, and are unwrapped as if they did not */
    TXTAP_CLOCK_DOWN = 1u << 3,        /* they are unwrapped as counting down */
    TXTAP_CLOCK_NANOSECONDS = 1u << 4, /* they wrap at 10^9 */
};

/* A set of enum txtap_clock_notice; 0 if all is well. */
unsigned txtap_clock_notices(const struct txtap_clock *clock);

/* One of them as a sentence without a full stop; "" for 0 or several. Static. */
const char *txtap_clock_notice_text(unsigned notice);

TXTAP_API_END

#endif
