/* SPDX-License-Identifier: MIT */
/* The content of a struct txtap_logger_ring: for the reader's own files and its tests. */
#ifndef TXTAP_DECODER_RING_EVENT_LOGGER_INSIDE_H
#define TXTAP_DECODER_RING_EVENT_LOGGER_INSIDE_H

#include "txtap/event_logger.h"

/* A position in the ring, with the facts known about that position. */
struct logger_mark {
    uint64_t position;
    bool boundary;             /* an event begins here, because the head or the tail was here */
    bool events_known;         /* the member events is valid */
    uint64_t events;           /* number of events written or dropped before this position */
    uint32_t pending;          /* events dropped after this position while it was the tail */
    uint64_t begin_us, end_us; /* begin and end of the exchange that found the tail here */
};

/* Valid events that the caller has not taken yet. */
struct logger_run {
    uint64_t from, to;     /* positions of the next event and of the end */
    uint64_t seq;          /* of the next event */
    uint64_t lost;         /* missing events, without those that headers count as dropped */
    uint64_t lost_at;      /* the missing events were before the event at this position */
    bool exact;            /* lost is exact */
    bool counted;          /* lost follows from the target's counts */
    uint64_t reported;     /* drops before the next event that were already reported as lost */
    uint64_t seen_dropped; /* drops that the reader saw while the tail was at the position of the next event */
    bool skip_drops;       /* do not report drops before the next event */
};

struct logger_inside {
    struct txtap_logger_place place;
    enum txtap_ring_from from;
    uint32_t copy_words;
    uint32_t *copy;      /* borrowed: the ring's words; position p is at index p % copy_words */
    uint8_t *raw;        /* borrowed: room for the answers of one exchange, 4 * size bytes */
    uint32_t read_words; /* the most words that one exchange reads */

    bool sampled;            /* the ring was read at least once */
    bool ready;              /* seq is known */
    bool inexact;            /* the size of the next loss is a lower bound */
    uint64_t seq;            /* seq of the event at the position next */
    uint64_t next;           /* events before this position were delivered */
    struct logger_mark head; /* the tail: the target has written the words before it */

    bool only_new;                      /* reading begins at the tail of the next first sample */
    bool missed;                        /* lost events before the position in next were not reported yet */
    struct logger_mark confirmed, read; /* confirmed: words before it are valid; read: words before it are copied */
    struct logger_mark attached;        /* the first tail that was seen; used until ready is set */
    uint64_t copied_us, copied_head;    /* time of the newest copy, and the tail at that time */
    uint64_t collected;                 /* the collector's position */
    uint32_t words_at_head, events_raw; /* the target's counts when the tail was at head */
    uint32_t words_seen;                /* the last count of words read */
    uint64_t events_at_head;            /* events_raw, unwrapped */
    bool counted;                       /* events_raw and events_at_head are known */
    bool based;                         /* events_base is known */
    uint64_t events_base;               /* number of events before the stream's first event */
    uint64_t guard; /* without totals: position of the guard words, which show a lap when they change */
    uint32_t guard_count, guard_words[TXTAP_LOGGER_GUARD_WORDS];
    unsigned tries;        /* exchanges spent waiting for counts that agree */
    bool agreed;           /* the last sample's counts agree */
    uint64_t gone_us;      /* when the guard was found overwritten while the tail had not moved; 0: not found */
    uint32_t dropped;      /* events dropped after the tail, when last read */
    uint64_t reported;     /* part of dropped that was already reported as lost */
    uint64_t seen_dropped; /* drops seen at the tail before the next event: a lower bound */
    uint64_t dropped_us;   /* last time at which the tail moved or drops were reported */
    bool skip_drops;       /* do not report drops before the first event: they are older than the attach */

    struct logger_run runs[4];
    size_t run_count, run_at;

    struct txtap_logger_state shown; /* only the times of events are used: the times from the last commit */
};

_Static_assert(sizeof(struct logger_inside) <= sizeof(struct txtap_logger_ring),
               "raise TXTAP_LOGGER_STORAGE: a new interface");
_Static_assert(_Alignof(struct logger_inside) <= _Alignof(struct txtap_logger_ring),
               "align the storage of struct txtap_logger_ring");

/*
 * Returns the content of the reader. The storage consists of characters, so the compiler allows any type of content in
 * it.
 */
static inline struct logger_inside *logger_inside(struct txtap_logger_ring *ring)
{
    return (struct logger_inside *)(void *)ring->storage.bytes;
}

static inline const struct logger_inside *logger_inside_const(const struct txtap_logger_ring *ring)
{
    return (const struct logger_inside *)(const void *)ring->storage.bytes;
}

#endif
