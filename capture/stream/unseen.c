/* SPDX-License-Identifier: MIT */
/* Whether events may be lost unnoticed: time stamps that stand still where no laps are counted. */
#include "stream/unseen.h"

#define STAMPS_MIN 64u /* this many equal ones, and never another, are enough even in a large ring */
#define SMALL_RING 16u /* half of such a ring may be events of a single tick */

void unseen_note(struct unseen *unseen, uint32_t stamp)
{
    unseen->equal = unseen->stamps > 0 && stamp == unseen->last ? unseen->equal + 1 : 1;
    unseen->stamps++;
    unseen->last = stamp;
}

enum unseen_clock unseen_clock(const struct unseen *unseen, uint32_t entries)
{
    uint64_t many = entries > SMALL_RING ? entries / 2 : entries;
    bool never_moved = unseen->equal == unseen->stamps;

    if (unseen->equal >= many || (never_moved && unseen->stamps >= STAMPS_MIN))
        return UNSEEN_CLOCK_STANDS;
    return never_moved ? UNSEEN_CLOCK_UNKNOWN : UNSEEN_CLOCK_RUNS;
}
