/* SPDX-License-Identifier: MIT */
/* The content of a struct txtap_logger_ring: for the reader's own files and its tests. */
#ifndef TXTAP_DECODER_RING_EVENT_LOGGER_INSIDE_H
#define TXTAP_DECODER_RING_EVENT_LOGGER_INSIDE_H

#include "txtap/event_logger.h"

/* A position in the ring, and the facts that are known about it. */
struct logger_mark {
    uint64_t position;
    bool boundary;             /* an event begins here: the head or the tail was here */
    bool events_known;         /* the member events is valid */
    uint64_t events;           /* number of events written or dropped before this position */
    uint32_t pending;          /* number of events dropped while the tail was at this position */
    uint64_t begin_us, end_us; /* begin and end of the exchange that found the tail at this position */
};

/* Valid events that the caller has not taken yet. */
struct logger_run {
    uint64_t from, to;     /* from: position of the next event; to: end of the run */
    uint64_t seq;          /* seq of the next event */
    uint64_t lost;         /* number of missing events, without the events that headers count as dropped */
    uint64_t lost_at;      /* the events are missing before the event at this position */
    bool exact;            /* lost is exact */
    bool counted;          /* lost follows from the target's counts */
    uint64_t reported;     /* drops before the next event that were already reported as lost */
    uint64_t seen_dropped; /* drops seen while the tail was at the next event's position */
    bool skip_drops;       /* do not report drops before the next event */
};

struct logger_inside {
    struct txtap_logger_place place;
    enum txtap_ring_from from;
    uint32_t copy_words;
    uint32_t *copy;      /* borrowed: the ring's words; position p is at index p % copy_words */
    uint8_t *raw;        /* borrowed: room for the answers of one exchange, 4 * size bytes */
    uint32_t read_words; /* maximum number of words that one exchange reads */

    bool sampled;            /* the ring was read at least once */
    bool ready;              /* seq is known */
    bool inexact;            /* the size of the next loss is a lower bound */
    uint64_t seq;            /* seq of the event at the position next */
    uint64_t next;           /* events before this position were delivered */
    struct logger_mark head; /* the tail: the target has written all words before it */

    bool only_new;                      /* after the next first sample, reading begins at the tail */
    bool missed;                        /* a loss before the position next was not reported yet */
    struct logger_mark confirmed, read; /* the words before confirmed are valid; the words before read are copied */
    struct logger_mark attached;        /* the first tail that was seen; used until ready is set */
    uint64_t copied_us, copied_head;    /* time of the newest copy, and position of the tail then */
    uint64_t collected;                 /* the collector's position */
    uint32_t words_at_head, events_raw; /* the target's counts when the tail was at head */
    uint32_t words_seen;                /* the last count of words that was read from the target */
    uint64_t events_at_head;            /* events_raw, unwrapped */
    bool counted;                       /* events_raw and events_at_head are known */
    bool based;                         /* events_base is known */
    uint64_t events_base;               /* number of events before the stream's first event */
    uint64_t guard; /* without totals: position of the guard words; if they change, the writer has completed a lap */
    uint32_t guard_count, guard_words[TXTAP_LOGGER_GUARD_WORDS];
    unsigned tries;        /* number of exchanges that have waited until the counts agree */
    bool agreed;           /* the last sample's counts agree */
    uint64_t gone_us;      /* time at which the guard was overwritten but the tail had not moved; 0: not so */
    uint32_t dropped;      /* number of events dropped after the tail, as last read */
    uint64_t reported;     /* part of dropped that was already reported as lost */
    uint64_t seen_dropped; /* drops seen at the tail before the next event; a lower bound */
    uint64_t dropped_us;   /* last time at which the tail moved or drops were reported */
    bool skip_drops;       /* do not report drops before the first event, because they are older than the attach */

    struct logger_run runs[4];
    size_t run_count, run_at;

    struct txtap_logger_state shown; /* only the members seen* are used; they are from the last commit */
};

_Static_assert(sizeof(struct logger_inside) <= sizeof(struct txtap_logger_ring),
               "raise TXTAP_LOGGER_STORAGE: a new interface");
_Static_assert(_Alignof(struct logger_inside) <= _Alignof(struct txtap_logger_ring),
               "align the storage of struct txtap_logger_ring");

/* Returns the content of the reader. The storage consists of characters, so C allows content of any type in it. */
static inline struct logger_inside *logger_inside(struct txtap_logger_ring *ring)
{
    return (struct logger_inside *)(void *)ring->storage.bytes;
}

static inline const struct logger_inside *logger_inside_const(const struct txtap_logger_ring *ring)
{
    return (const struct logger_inside *)(const void *)ring->storage.bytes;
}

#endif
