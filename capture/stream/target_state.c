/* SPDX-License-Identifier: MIT */
/* Judges a target by its current and earlier states. The uptime is a count that only grows between two resets. */
#include "stream/target_state.h"

#include <stddef.h>

#define SET_UP_US     50000  /* the firmware sets up a trace in less time */
#define PACE_KNOWN_US 900000 /* shortest time between the first and the last count that gives a pace */

const char *core_state_text(enum core_state core)
{
    switch (core) {
    case CORE_HALTED:
        return "the core is halted (by a debugger?): no events until it runs again";
    case CORE_IN_RESET:
        return "the target is held in reset: no events until it is let go";
    case CORE_LOCKED_UP:
        return "the core is locked up, after a fault in a fault handler: no events until it is reset";
    default:
        return NULL;
    }
}

/* ---- uptime ---- */

/* Returns the least and the most time that can have passed between two reads. */
static double least_us(const struct target_window *before, const struct target_window *after)
{
    return after->from_us > before->to_us ? (double)(after->from_us - before->to_us) : 0;
}

static double most_us(const struct target_window *before, const struct target_window *after)
{
    return (double)(after->to_us - before->from_us);
}

static bool pace_is_known(const struct target_history *history)
{
    return history->known && least_us(&history->first_read, &history->last_read) >= PACE_KNOWN_US;
}

void target_history_note_uptime(struct target_history *history, const struct target_state *target,
                                const struct target_window *read)
{
    if (!target->has_uptime)
        return;
    if (!history->known || target->uptime < history->last) {
        history->known = true;
        history->first = target->uptime;
        history->first_read = *read;
    }
    history->last = target->uptime;
    history->last_read = *read;
}

/*
 * Judges a count. If the count is lower, the target was reset. If the count is too large to have begun at 0 after the
 * last read, and grew at the known pace, the target was not reset. Otherwise it is unknown: a sleeping target may count
 * more slowly, and a target that was reset soon after the last read may have caught up. The time of a read is known
 * only as a window. So each bound uses the times within the windows that make the bound widest.
 */
static enum uptime_verdict judge(const struct target_history *history, uint32_t count, const struct target_window *read)
{
    double grown = (double)(history->last - history->first), counted = (double)count - history->last, least, most;

    if (!history->known)
        return UPTIME_UNKNOWN;
    if (count < history->last)
        return UPTIME_RESET;
    if (!pace_is_known(history))
        return UPTIME_UNKNOWN;
    least = grown / most_us(&history->first_read, &history->last_read) * least_us(&history->last_read, read);
    most = grown / least_us(&history->first_read, &history->last_read) * most_us(&history->last_read, read);
    if (counted < least * 0.9 - 2 || counted > most * 1.1 + 2 || (double)count <= most * 1.1 + 2)
        return UPTIME_UNKNOWN;
    return UPTIME_SAME;
}

/* Returns true if the count stands still or grows at another pace than before: it belongs to other firmware. */
static bool is_foreign(const struct target_history *history, uint32_t count, const struct target_window *read)
{
    if (history->known && count == history->last)
        return true;
    return pace_is_known(history) && judge(history, count, read) != UPTIME_SAME;
}

enum uptime_verdict target_history_judge(const struct target_history *history, const struct target_state *target,
                                         const struct target_window *read)
{
    return target->has_uptime ? judge(history, target->uptime, read) : UPTIME_UNKNOWN;
}

/* ---- where it records ---- */

void target_history_note_place(struct target_history *history, const struct target_state *target,
                               const struct target_window *read)
{
    if (!target->moved)
        history->moving_us = 0;
    else if (history->moving_us == 0)
        history->moving_us = read->to_us;
}

/* Reports whether the other buffer is ready. While the firmware sets up the other buffer, the trace is disabled, and
 * that buffer may still contain the header of an older trace. */
static bool has_settled(const struct target_history *history, const struct target_state *target, uint64_t now_us)
{
    return target->enabled || (history->moving_us != 0 && now_us - history->moving_us >= SET_UP_US);
}

const char *target_history_reason_to_locate(const struct target_history *history, const struct target_state *target,
                                            const struct target_window *read, uint64_t now_us)
{
    if (target->moved && has_settled(history, target, now_us))
        return "the firmware records into another buffer";
    if (target->has_uptime && history->known && target->uptime < history->last)
        return "the target was reset";
    if (target->flashed && (target->flashed_surely || !target->has_uptime || is_foreign(history, target->uptime, read)))
        return "other firmware was flashed";
    return NULL;
}
