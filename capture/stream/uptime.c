/* SPDX-License-Identifier: MIT */
/* Judges whether the target was reset by how its uptime has grown. Knows no target and no clock. */
#include "stream/uptime.h"

#define PACE_KNOWN_US 900000 /* between the first and the last count, to know the pace */

/* The least and the most time that can have passed between two reads. */
static double least_us(const struct uptime_window *before, const struct uptime_window *after)
{
    return after->from_us > before->to_us ? (double)(after->from_us - before->to_us) : 0;
}

static double most_us(const struct uptime_window *before, const struct uptime_window *after)
{
    return (double)(after->to_us - before->from_us);
}

static bool pace_is_known(const struct uptime *uptime)
{
    return uptime->known && least_us(&uptime->first_read, &uptime->last_read) >= PACE_KNOWN_US;
}

void uptime_note(struct uptime *uptime, uint32_t count, const struct uptime_window *read)
{
    if (!uptime->known || count < uptime->last)
        *uptime = (struct uptime){.known = true, .first = count, .first_read = *read};
    uptime->last = count;
    uptime->last_read = *read;
}

/*
 * A count that went back: a reset. A count that is larger than the time away, and grew at the known pace: no reset,
 * because the target was already up at the last read. Anything else is unknown: a target that sleeps may count more
 * slowly, and one that was reset soon after the last read may have caught up. The moment of a read is only known within
 * its window, so each bound takes the times that make it widest.
 */
enum uptime_verdict uptime_judge(const struct uptime *uptime, uint32_t count, const struct uptime_window *read)
{
    double grown = (double)(uptime->last - uptime->first), counted = (double)count - uptime->last, least, most;

    if (!uptime->known)
        return UPTIME_UNKNOWN;
    if (count < uptime->last)
        return UPTIME_RESET;
    if (!pace_is_known(uptime))
        return UPTIME_UNKNOWN;
    least = grown / most_us(&uptime->first_read, &uptime->last_read) * least_us(&uptime->last_read, read);
    most = grown / least_us(&uptime->first_read, &uptime->last_read) * most_us(&uptime->last_read, read);
    if (counted < least * 0.9 - 2 || counted > most * 1.1 + 2 || (double)count <= most * 1.1 + 2)
        return UPTIME_UNKNOWN;
    return UPTIME_SAME;
}

bool uptime_is_foreign(const struct uptime *uptime, uint32_t count, const struct uptime_window *read)
{
    if (uptime->known && count == uptime->last)
        return true;
    return pace_is_known(uptime) && uptime_judge(uptime, count, read) != UPTIME_SAME;
}
