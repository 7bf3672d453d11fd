/* SPDX-License-Identifier: MIT */
/* The figures of a stream of events: what was read, what was lost, and what reading it cost. */
#ifndef TXTAP_CAPTURE_STREAM_STREAM_STATS_H
#define TXTAP_CAPTURE_STREAM_STREAM_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/event_maker.h"
#include "txtap/item.h"

#define STREAM_EXCESS_MAX (UINT64_C(1) << 60)

struct stream_stats {
    uint64_t events;  /* delivered */
    uint64_t written; /* since the ring was first read, lost or not; at least, without a lap counter. 0: not ThreadX's
                         ring */
    uint64_t lost, gaps;
    uint64_t lost_estimate; /* lost, with the estimates of the gaps that have one */
    uint64_t excess;        /* how many more events the other gaps may hide; from STREAM_EXCESS_MAX on: unknown */
    double rate_by_stamps;  /* events written per second, by the time stamps of those that were read; 0: not known */
    bool lost_exact;        /* false: lost is a lower bound */
    bool unseen;            /* events may have been lost that are in no gap: see batch_items.h */
    uint64_t undecided;     /* events left out that may match: choice.undecided in output/sinks.h */
    uint64_t resets;        /* times the trace restarted or moved: counted by event_stream.c */
    uint64_t reconnections; /* times reading went on after it had failed: counted by event_stream.c */
    uint64_t polls;         /* exchanges for the ring; those for the registry and the header are not among them */
    uint64_t requests;      /* all exchanges with the source */
    uint64_t bytes_read;    /* of target memory, in all exchanges */
    double tick_hz_low, tick_hz_high; /* bounds of the time stamps' rate, set by the command; 0: not known */
    uint64_t unread, unread_max;      /* entries that waited in the ring at the last poll, and the most that ever did */
};

/* Two digits of an estimate: no more are known. */
static inline double round_about(double value)
{
    double unit = 1;

    while (value / unit >= 100)
        unit *= 10;
    return (double)(uint64_t)(value / unit + 0.5) * unit;
}

/* About how many events are written per second, if only the least rate is certain; 0: not known. */
static inline double stream_stats_estimate(const struct stream_stats *stats, double least)
{
    return stats->lost_exact || stats->rate_by_stamps < least ? 0 : stats->rate_by_stamps;
}

/* Counts an event or a gap that was delivered; other items count nothing. */
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

/* ---- how fast the clock of the time stamps runs, by the host's clock while events come ---- */

#define TICK_RATE_TEXT_BYTES 64

/*
 * The rate is between *low_hz and *high_hz ticks per second. False: it is not known, or the time source does not run
 * evenly; both are 0.
 */
bool tick_rate_get(const struct txtap_event_maker *maker, double *low_hz, double *high_hz);

/* "168.000 MHz +- 0.02 %". low_hz: above 0. */
void tick_rate_text(char text[static TICK_RATE_TEXT_BYTES], double low_hz, double high_hz);

#endif
