/* SPDX-License-Identifier: MIT */
/*
 * Makes 64-bit ticks from masked stamps. The clock knows only the mask and the earlier stamps. If a stamp is below the
 * last stamp, the counter has wrapped once. (If the counter counts down: if a stamp is above the last stamp.) The clock
 * knows neither the length of a tick nor the number of whole periods between two stamps.
 */
#include "txtap/inner/host_time.h"

#include <string.h>

/*
 * If there are fewer equal stamps, they prove nothing: a kernel writes several entries within one tick of a slow timer.
 */
#define NOTICED_STAMPS_MIN 64

/* In a simulated clock, one of this number of steps may be longer than 1, because lost events make a longer step. */
#define SINGLE_STEPS_PER_OTHER 64

/* If there are fewer steps, they do not justify a warning: one long silence looks like a step backwards. */
#define DIRECTION_CHANGES_MIN 16
#define SETTLE_CHANGES_MIN    3

/* In the Linux port, stamps are tv_nsec, which wraps after each second. A step from the last tenth of a second to the
 * first tenth is recognised as such a wrap. */
#define NANOSECONDS      UINT32_C(1000000000)
#define NANOSECONDS_LATE (NANOSECONDS - NANOSECONDS / 10)
#define NANOSECONDS_SOON (NANOSECONDS / 10)

/* Returns the counter's period: the smallest power of 2 above the mask. The mask may have holes. */
static uint64_t mask_period(uint32_t mask)
{
    for (unsigned shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    return (uint64_t)mask + 1;
}

void txtap_clock_init(struct txtap_clock *clock, uint32_t mask)
{
    memset(clock, 0, sizeof(*clock));
    clock->mask = mask;
    clock->period = mask_period(mask);
}

/* Returns the ticks of a step across the counter's end. distance: difference between the last stamp and this stamp. */
static uint64_t wrap(struct txtap_clock *clock, uint32_t stamp, uint32_t distance)
{
    if (clock->mask == UINT32_MAX && !clock->down && clock->highest < NANOSECONDS && clock->last >= NANOSECONDS_LATE &&
        stamp < NANOSECONDS_SOON)
        clock->period = NANOSECONDS;
    return clock->period - distance;
}

void txtap_clock_restart(struct txtap_clock *clock, uint32_t mask, uint64_t elapsed)
{
    if (clock->mask != mask) {
        clock->mask = mask;
        clock->period = mask_period(mask);
    }
    clock->ticks += elapsed;
    clock->restarted = true;
}

uint64_t txtap_clock_unwrap(struct txtap_clock *clock, uint32_t stamp)
{
    uint64_t step;
    bool rises;

    stamp &= clock->mask;
    if (stamp >= clock->period) /* so the counter does not count nanoseconds */
        clock->period = mask_period(clock->mask);
    if (stamp > clock->highest)
        clock->highest = stamp;
    if (clock->stamps++ > 0 && stamp != clock->last && !clock->restarted) {
        rises = stamp > clock->last;
        step = rises ? stamp - clock->last : clock->last - stamp;
        if (rises == clock->down)
            step = wrap(clock, stamp, (uint32_t)step);
        clock->ticks += step;
        clock->changes++;
        clock->decreases += !rises;
        clock->single += step == 1;
    }
    clock->restarted = false;
    clock->last = stamp;
    return clock->ticks;
}

void txtap_clock_set(struct txtap_clock *clock, uint32_t stamp, uint64_t ticks)
{
    struct txtap_clock ahead = *clock;

    if (txtap_clock_unwrap(&ahead, stamp) == ticks)
        return;
    clock->last = stamp & clock->mask;
    clock->ticks = ticks;
}

void txtap_clock_settle(struct txtap_clock *clock)
{
    struct txtap_clock seen = *clock;

    txtap_clock_init(clock, seen.mask);
    clock->down = seen.changes >= SETTLE_CHANGES_MIN && seen.decreases > seen.changes - seen.decreases;
    clock->highest = seen.highest;
    if (!clock->down && seen.highest < NANOSECONDS)
        clock->period = seen.period;
}

unsigned txtap_clock_notices(const struct txtap_clock *clock)
{
    uint64_t others = clock->stamps - clock->single; /* the first stamp is among them */
    bool many = clock->stamps >= NOTICED_STAMPS_MIN;
    unsigned notices = 0;

    if (many && clock->changes == 0)
        notices |= TXTAP_CLOCK_CONSTANT;
    if (many && others <= 1 + clock->stamps / SINGLE_STEPS_PER_OTHER)
        notices |= TXTAP_CLOCK_SIMULATED;
    if (clock->down)
        notices |= TXTAP_CLOCK_DOWN;
    else if (clock->changes >= DIRECTION_CHANGES_MIN && clock->decreases > clock->changes / 2)
        notices |= TXTAP_CLOCK_BACKWARDS;
    if (clock->period != mask_period(clock->mask))
        notices |= TXTAP_CLOCK_NANOSECONDS;
    return notices;
}

const char *txtap_clock_notice_text(unsigned notice)
{
    switch (notice) {
    case TXTAP_CLOCK_CONSTANT:
        return "all time stamps are equal: the target's time source does not run (no DWT->CYCCNT, or DEMCR.TRCENA is "
               "not set)";
    case TXTAP_CLOCK_SIMULATED:
        return "each time stamp is one more than the one before: the target counts its events and has no time source "
               "(TX_TRACE_TIME_SOURCE is not set)";
    case TXTAP_CLOCK_BACKWARDS:
        return "the time stamps count down, but were taken as counting up: decode a snapshot, which is read twice, "
               "for the right times";
    case TXTAP_CLOCK_DOWN:
        return "the time stamps count down: times are shown as going up";
    case TXTAP_CLOCK_NANOSECONDS:
        return "the time stamps wrap at 10^9, not where the timer mask says: taken as nanoseconds (--hz 1e9)";
    default:
        return "";
    }
}
