/* SPDX-License-Identifier: MIT */
/*
 * Turns words into events. The header of an event contains two numbers: the number of words in the event, and the
 * number of events that the target dropped before it. In a header of txtap's logger, 255 dropped events means 255 or
 * more. Zephyr's own logger stores the number of dropped events modulo 256. If the ring has totals, the totals count
 * all events.
 */
#include "ring/event_logger_walk.h"

#include <string.h>

#define DROPPED_MAX 255u /* the largest count of dropped events in an event's header */

struct header {
    uint32_t type, count, dropped;
};

/* The result of a walk over the events from the position next up to the position confirmed. */
struct sum {
    uint64_t end;             /* end of the last complete event */
    uint64_t events, dropped; /* dropped: drops that were not reported yet */
    uint64_t saturated_at;    /* position of the first header with DROPPED_MAX: the true count may be larger */
    bool saturated;
    bool damaged; /* an event overlaps the known beginning of another event */
};

static struct header header_at(const struct logger_inside *ring, uint64_t position)
{
    uint32_t word = ring->copy[position % ring->copy_words];

    return (struct header){word & 0xFFFF, word >> 16 & 0xFF, word >> 24};
}

/*
 * Returns the number of events that were dropped before this event and not reported yet. reported: the number already
 * reported. seen: the number of drops seen while the tail was at this event.
 */
static uint64_t drops_before(const struct logger_inside *ring, struct header header, uint64_t reported, uint64_t seen)
{
    uint64_t dropped = header.dropped, least = seen > reported ? seen : reported;

    if (ring->place.totals == 0 && least > dropped) /* modulo 256 */
        dropped += (least - dropped + DROPPED_MAX) / (DROPPED_MAX + 1) * (DROPPED_MAX + 1);
    return dropped > reported ? dropped - reported : 0;
}

static struct sum walk(const struct logger_inside *ring)
{
    struct sum sum = {.end = ring->next};
    uint64_t reported = ring->reported, seen = ring->seen_dropped, to = ring->confirmed.position;
    bool skip = ring->skip_drops;

    while (sum.end < to) {
        struct header header = header_at(ring, sum.end);

        if (sum.end + header.count + 1 > to) {
            sum.damaged = ring->confirmed.boundary;
            break;
        }
        if (!skip)
            sum.dropped += drops_before(ring, header, reported, seen);
        if (!skip && !sum.saturated && header.dropped == DROPPED_MAX) {
            sum.saturated = true;
            sum.saturated_at = sum.end;
        }
        skip = false;
        reported = seen = 0;
        sum.events++;
        sum.end += header.count + 1;
    }
    return sum;
}

static void add_run(struct logger_inside *ring, struct logger_run run)
{
    const size_t runs_max = sizeof ring->runs / sizeof *ring->runs;

    if (run.lost == 0 && run.from == run.to)
        return;
    if (ring->run_count < runs_max) /* a commit never adds more than runs_max runs */
        ring->runs[ring->run_count++] = run;
}

static struct logger_run new_run(const struct logger_inside *ring, uint64_t to)
{
    return (struct logger_run){
        .from = ring->next,
        .to = to,
        .seq = ring->seq,
        .lost_at = ring->next,
        .exact = true,
        .reported = ring->reported,
        .seen_dropped = ring->seen_dropped,
        .skip_drops = ring->skip_drops,
    };
}

void walk_gap(struct logger_inside *ring, uint64_t lost, bool exact)
{
    struct logger_run run = new_run(ring, ring->next);

    run.lost = lost;
    run.exact = exact;
    ring->seq += lost;
    add_run(ring, run);
}

/*
 * Sets the seq of the first event: the number of earlier events if the target counts events, otherwise 0. Events that
 * were lost before the first event are older than the attach, unless reading begins after the tail that was seen at the
 * attach.
 */
static void begin_stream(struct logger_inside *ring, const struct sum *sum)
{
    const struct logger_mark *mark = &ring->confirmed, *attached = &ring->attached;
    bool known = attached->events_known && ring->next >= attached->position;

    if (ring->ready)
        return;
    ring->ready = true;
    ring->missed = ring->next > attached->position;
    ring->based = known || (mark->events_known && !ring->missed && !sum->saturated);
    if (known)
        ring->seq = attached->events + attached->pending;
    else if (mark->events_known)
        ring->seq = mark->events - sum->events - sum->dropped + (sum->events == 0 ? ring->reported : 0) - ring->missed;
    ring->skip_drops = ring->skip_drops && sum->events > 0;
}

static void note_seen(struct logger_inside *ring, bool counted)
{
    const struct logger_mark *mark = &ring->confirmed;

    if (mark->end_us == 0 || ring->next != mark->position)
        return;
    ring->shown.seen = true;
    ring->shown.seen_counted = counted;
    ring->shown.seen_begin_us = mark->begin_us;
    ring->shown.seen_end_us = mark->end_us;
}

/*
 * Returns true if the reader should read again before it emits the events. If there are counts, another read may show
 * how many events are missing. If there are no counts, the next event after a loss shows when the loss ended.
 */
static bool waits(const struct logger_inside *ring, const struct sum *sum)
{
    if (ring->place.totals == 0)
        return ring->missed && sum->events == 0;
    return !ring->confirmed.events_known && (!ring->ready || ring->missed || sum->saturated);
}

/*
 * Returns the seq at the end of a walk, from the target's counts. events: number of events in the walk. The counts do
 * not yet include drops after the tail.
 */
static uint64_t written_before(const struct logger_inside *ring, uint64_t events)
{
    return ring->confirmed.events - ring->events_base + (events == 0 ? ring->reported : 0);
}

/* Returns true if there is nothing to emit and no loss to report. */
static bool is_settled(const struct logger_inside *ring)
{
    const struct logger_mark *mark = &ring->confirmed;

    if (ring->next != mark->position)
        return ring->next > mark->position;
    if (!ring->ready || ring->missed)
        return false;
    return !mark->events_known || !ring->based || written_before(ring, 0) <= ring->seq;
}

/* Sets the number of missing events in *run, without the events that headers count as dropped. */
static void find_loss(struct logger_inside *ring, const struct sum *sum, struct logger_run *run)
{
    const struct logger_mark *mark = &ring->confirmed;
    uint64_t seq = ring->seq + sum->events + sum->dropped, written = written_before(ring, sum->events);

    run->counted = mark->events_known && ring->based;
    if (run->counted && written > seq && written - seq < UINT64_C(1) << 63) {
        run->lost = written - seq;
        run->exact = !ring->inexact;
        if (!ring->missed && sum->saturated)
            run->lost_at = sum->saturated_at;
    } else if (ring->missed && !run->counted) {
        run->lost = 1;
        run->exact = false;
    }
    /* More events than run->lost may be lost. Do not report the difference later at another place. */
    if (!mark->events_known && (ring->missed || sum->saturated))
        ring->based = false;
    if (mark->events_known && !ring->based) { /* from here on, the number of events is known again */
        ring->based = true;
        ring->events_base += written - seq - run->lost;
    }
}

void walk_emit(struct logger_inside *ring, bool now)
{
    struct logger_run run;
    struct sum sum;

    if (is_settled(ring))
        return;
    sum = walk(ring);
    if (!now && waits(ring, &sum)) {
        ring->tries++;
        return;
    }
    ring->tries = 0;
    if (sum.damaged) { /* the words are not events: other code wrote to the ring, or a lap was not noticed */
        sum = (struct sum){.end = ring->confirmed.position};
        ring->missed = ring->inexact = true;
        ring->next = sum.end;
    }
    if (!ring->ready && sum.events == 0 && !ring->confirmed.events_known && ring->next <= ring->attached.position) {
        ring->next = sum.end;
        return; /* the stream does not begin yet */
    }
    begin_stream(ring, &sum);
    run = new_run(ring, sum.end);
    find_loss(ring, &sum, &run);
    ring->seq += sum.events + sum.dropped + run.lost;
    ring->shown.seen_seq = ring->seq;
    ring->next = sum.end;
    note_seen(ring, run.exact);
    ring->missed = ring->inexact = false;
    if (sum.events > 0) {
        ring->skip_drops = false;
        ring->reported = ring->seen_dropped = 0;
    }
    add_run(ring, run);
}

/* ---- one by one ---- */

static bool drops_are_exact(const struct logger_inside *ring, const struct logger_run *run, struct header header)
{
    return ring->place.totals != 0 && (run->counted || header.dropped < DROPPED_MAX);
}

/* Sets *item to the gap before the run's next event. Returns false if there is no such gap. */
static bool take_gap(struct logger_inside *ring, struct logger_run *run, struct txtap_logger_item *item)
{
    bool here = run->lost > 0 && run->from == run->lost_at;
    struct header header = {0};
    uint64_t dropped = 0;

    if (run->from < run->to)
        header = header_at(ring, run->from);
    if (run->from < run->to && !run->skip_drops)
        dropped = drops_before(ring, header, run->reported, run->seen_dropped);
    run->skip_drops = true; /* this gap reports the drops */
    if (!here && dropped == 0)
        return false;
    item->lost = dropped + (here ? run->lost : 0);
    item->exact = (!here || run->exact) && (dropped == 0 || drops_are_exact(ring, run, header));
    item->lap = ring->place.totals == 0 && (!here || run->exact) ? DROPPED_MAX + 1 : 1;
    item->seq = run->seq;
    run->seq += item->lost;
    run->lost = here ? 0 : run->lost;
    return true;
}

static void take_event(struct logger_inside *ring, struct logger_run *run, struct txtap_logger_item *item)
{
    struct header header = header_at(ring, run->from);

    item->lost = 0;
    item->exact = true;
    item->seq = run->seq++;
    item->type = header.type;
    item->count = header.count;
    for (uint32_t i = 0; i < header.count; i++)
        item->words[i] = ring->copy[(run->from + 1 + i) % ring->copy_words];
    run->from += header.count + 1;
    run->reported = run->seen_dropped = 0;
    run->skip_drops = false;
}

bool txtap_logger_next(struct txtap_logger_ring *opaque, struct txtap_logger_item *item)
{
    struct logger_inside *ring = logger_inside(opaque);

    for (; ring->run_at < ring->run_count; ring->run_at++) {
        struct logger_run *run = &ring->runs[ring->run_at];

        if (take_gap(ring, run, item))
            return true;
        if (run->from < run->to) {
            take_event(ring, run, item);
            return true;
        }
    }
    return false;
}
