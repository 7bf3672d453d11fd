/* SPDX-License-Identifier: MIT */
#include "density.h"

#include <math.h>

#define STEPS_MAX 128.0 /* older ones fade */
#define STEPS_MIN 8.0   /* fewer are no guide */

static double step_of(uint32_t mask, uint32_t from, uint32_t to)
{
    uint32_t forward = (to - from) & mask;

    return forward <= mask / 2 ? forward : (double)forward - (double)mask - 1;
}

void density_note(struct density *density, uint32_t mask, uint32_t stamp)
{
    if (density->any) {
        density->ticks += step_of(mask, density->last, stamp);
        density->steps++;
    }
    if (density->steps >= STEPS_MAX) {
        density->steps /= 2;
        density->ticks /= 2;
    }
    density->any = true;
    density->last = stamp;
}

void density_break(struct density *density)
{
    density->any = false;
}

uint64_t density_estimate(const struct density *before, const struct density *after, uint32_t mask, uint32_t stamp,
                          uint64_t lost, uint32_t lap)
{
    double steps = before->steps + after->steps, ticks = before->ticks + after->ticks;
    double silence, laps;

    if (!before->any || steps < STEPS_MIN || ticks == 0)
        return 0;
    silence = ticks > 0 ? (stamp - before->last) & mask : (before->last - stamp) & mask;
    laps = round((silence * steps / fabs(ticks) - 1 - (double)lost) / lap);
    return laps > 0 && laps < 1e9 ? lost + (uint64_t)laps * lap : lost;
}
