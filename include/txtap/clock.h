/* SPDX-License-Identifier: MIT */
/* Masked time stamps become 64-bit ticks that never go back. */
#ifndef TXTAP_CLOCK_H
#define TXTAP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct txtap_clock {
    uint32_t mask; /* of the control header; valid: 2^n - 1 */
    uint32_t last; /* last stamp seen, masked */
    bool down;     /* the time source counts down; the caller may set it after init, before the first stamp */
    uint64_t ticks;
    uint64_t stamps;    /* seen so far */
    uint64_t changes;   /* of them, different from the one before */
    uint64_t backwards; /* of these, nearer to the one before when counting down than up */
};

void txtap_clock_init(struct txtap_clock *clock, uint32_t mask);

/* Ticks since the first stamp given. A silence longer than the mask's period cannot be seen here. */
uint64_t txtap_clock_unwrap(struct txtap_clock *clock, uint32_t stamp);

/* True after many stamps that were all equal: the target's time source does not run. */
bool txtap_clock_is_constant(const struct txtap_clock *clock);

/*
 * True after many stamps most of which say that the time source counts down, whatever down is set to: some timers do,
 * and nothing in the buffer tells. To find out, unwrap the first stamps with one clock and start again with another.
 */
bool txtap_clock_seems_down(const struct txtap_clock *clock);

#endif
