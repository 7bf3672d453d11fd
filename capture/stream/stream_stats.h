/* SPDX-License-Identifier: MIT */
/* Statistics of a stream of events: events read, events lost, and the cost of reading. */
#ifndef TXTAP_CAPTURE_STREAM_STREAM_STATS_H
#define TXTAP_CAPTURE_STREAM_STREAM_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/event_maker.h"
#include "txtap/item.h"
#include "txtap/rate.h"

#define STREAM_EXCESS_MAX (UINT64_C(1) << 60)

struct stream_stats {
    uint64_t events;  /* number of delivered events */
    uint64_t written; /* entries written since the ring was first read, including lost entries; a lower bound if laps
                         are not counted; 0: not a ThreadX ring */
    uint64_t lost, gaps;
    uint64_t lost_estimate; /* number of lost events; a gap with an estimate counts with its estimate */
    /* Number of events that gaps without an estimate may hide beyond `lost`. STREAM_EXCESS_MAX and above: unknown. */
    uint64_t excess;
    /* events written per second, from the time stamps of the events that were read; 0: not known */
    double rate_by_stamps;
    bool lost_exact;        /* false: `lost` is a lower bound */
    bool unseen;            /* events may have been lost without a gap: see poller_judge_unseen() */
    uint64_t undecided;     /* omitted events that may match the filter: choice.undecided in output/sinks.h */
    uint64_t resets;        /* number of restarts and moves of the trace; event_stream.c counts them */
    uint64_t reconnections; /* number of times that reading resumed after a failure; event_stream.c counts them */
    uint64_t polls;         /* exchanges for the ring, without exchanges for the registry and the header */
    uint64_t requests;      /* all exchanges with the source */
    uint64_t bytes_read;    /* bytes of target memory read in all exchanges */
    double tick_hz_low, tick_hz_high; /* bounds of the time stamps' rate, set by the command; 0: not known */
    struct txtap_rate rate;           /* the rate of the time stamps that the command uses, set by the command */
    bool rate_recorded;               /* that rate comes from a recording, if it is known */
    uint64_t unread, unread_max; /* entries that waited in the ring: at the last poll, and the largest number ever */
};

/* Rounds an estimate to two digits, because it is no more precise than that. */
static inline double round_about(double value)
{
    double unit = 1;

    while (value / unit >= 100)
        unit *= 10;
    return (double)(uint64_t)(value / unit + 0.5) * unit;
}

/* Returns the approximate number of events written per second, if only a lower bound (least) is certain; 0: not
 * known. */
static inline double stream_stats_estimate(const struct stream_stats *stats, double least)
{
    return stats->lost_exact || stats->rate_by_stamps < least ? 0 : stats->rate_by_stamps;
}

/* Counts a delivered event or gap. Other items do not count. */
static inline void stream_stats_count(struct stream_stats *stats, const struct txtap_item *item)
{
    const struct txtap_gap *gap = &item->gap;

    stats->events += item->kind == TXTAP_ITEM_EVENT;
    if (item->kind != TXTAP_ITEM_GAP)
        return;
    stats->lost += gap->lost;
    stats->lost_estimate += gap->estimate > 0 ? gap->estimate : gap->lost;
    stats->lost_exact = stats->lost_exact && gap->exact;
    stats->gaps++;
}

/* ---- the rate of the time stamps, measured with the host's clock while events arrive ---- */

#define TICK_RATE_KNOWN     0.05   /* a measured rate is used once its bounds are this close, relative to it */
#define TICK_RATE_ALLOWANCE 200e-6 /* error of the target's crystal and of the host's clock together */

/* Computes the bounds of the rate, *low_hz and *high_hz, in ticks per second. False: the rate is not known, or the
 * clock does not run evenly; both are then 0. */
bool tick_rate_get(const struct txtap_event_maker *maker, double *low_hz, double *high_hz);

/*
 * Chooses the rate of the time stamps. given_hz: the user's; 0: not given. clock_hz: the firmware's SystemCoreClock; 0:
 * not known. low_hz, high_hz: the measured bounds; 0: not measured. The user's rate comes first; then the firmware's
 * clock, if it is within the bounds, with an allowance; then the roundest number within the bounds.
 */
struct txtap_rate tick_rate_choose(double given_hz, double clock_hz, double low_hz, double high_hz);

#endif
