/* SPDX-License-Identifier: MIT */
/* A clock turns masked time stamps into 64-bit ticks, and detects unusual stamps. Ticks never decrease. */
#ifndef TXTAP_CLOCK_H
#define TXTAP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/api.h"

TXTAP_API_BEGIN

struct txtap_clock {
    uint32_t mask;   /* the control header's timer mask */
    uint32_t last;   /* last stamp, masked */
    bool down;       /* the time source counts down; the caller may set it after init, before the first stamp */
    uint64_t period; /* ticks after which the counter wraps */
    uint64_t ticks;  /* ticks from the first stamp to the last */
    bool restarted;  /* the next stamp does not continue from the last stamp */

    /* private: statistics for the notices */
    uint32_t highest;   /* highest stamp */
    uint64_t stamps;    /* number of stamps */
    uint64_t changes;   /* stamps that differ from the preceding stamp */
    uint64_t decreases; /* stamps below the preceding stamp */
    uint64_t single;    /* stamps one tick after the preceding stamp */
};

/* Reasons to doubt the stamps. A notice is given only after enough stamps to be sure. */
enum txtap_clock_notice {
    TXTAP_CLOCK_CONSTANT = 1u << 0,    /* all stamps are equal: the time source does not run */
    TXTAP_CLOCK_SIMULATED = 1u << 1,   /* each stamp is one more than the preceding stamp: the time source counts
                                          events, not time */
    TXTAP_CLOCK_BACKWARDS = 1u << 2,   /* the stamps count down, but are unwrapped as if they counted up */
    TXTAP_CLOCK_DOWN = 1u << 3,        /* the stamps count down, and are unwrapped accordingly */
    TXTAP_CLOCK_NANOSECONDS = 1u << 4, /* the stamps wrap at 10^9 */
};

/* Returns a set of enum txtap_clock_notice; 0 if there is nothing unusual. */
unsigned txtap_clock_notices(const struct txtap_clock *clock);

/* Returns the sentence for one notice, without a full stop. "" if notice is 0 or contains several notices. Static. */
const char *txtap_clock_notice_text(unsigned notice);

TXTAP_API_END

#endif
