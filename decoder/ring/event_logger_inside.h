/* SPDX-License-Identifier: MIT */
/* What is inside of a struct txtap_logger_ring: for the reader's own files and its tests. */
#ifndef TXTAP_DECODER_RING_EVENT_LOGGER_INSIDE_H
#define TXTAP_DECODER_RING_EVENT_LOGGER_INSIDE_H

#include "txtap/event_logger.h"

/* A position, and what is known about it. */
struct logger_mark {
    uint64_t position;
    bool boundary;             /* an event begins here: it was the head or the tail */
    bool events_known;         /* the next field is valid */
    uint64_t events;           /* written and dropped before this position */
    uint32_t pending;          /* events dropped behind this position while it was the tail */
    uint64_t begin_us, end_us; /* of the exchange that found the tail here */
};

/* Valid events that the caller has not taken yet. */
struct logger_run {
    uint64_t from, to;     /* positions of the next event and of the end */
    uint64_t seq;          /* of the next event */
    uint64_t lost;         /* events that are missing beside those that headers report as dropped */
    uint64_t lost_at;      /* the gap is before the event at this position */
    bool exact;            /* lost is exact */
    bool counted;          /* the target's counts gave lost */
    uint64_t reported;     /* events dropped before the next one that were already reported as lost */
    uint64_t seen_dropped; /* events dropped before the next one that were seen while its place was the tail */
    bool skip_drops;       /* do not report events dropped before the next one */
};

struct logger_inside {
    struct txtap_logger_place place;
    enum txtap_ring_from from;
    uint32_t copy_words;
    uint32_t *copy;      /* the caller's: the ring's words, position p at p % copy_words */
    uint8_t *raw;        /* the caller's: the answers of one exchange, 4 * size bytes */
    uint32_t read_words; /* at most in one exchange */

    bool sampled;            /* the ring was read at least once */
    bool ready;              /* seq is known */
    bool inexact;            /* the next loss is "at least" */
    uint64_t seq;            /* of the event at next */
    uint64_t next;           /* events before this position were delivered */
    struct logger_mark head; /* the target has written up to here */

    bool only_new;                      /* the next first sample begins at the tail */
    bool missed;                        /* events before next are lost and not yet reported */
    struct logger_mark confirmed, read; /* words up to here are valid; are copied */
    struct logger_mark attached;        /* until ready: the first tail that was seen */
    uint64_t copied_us, copied_head;    /* when the newest words were copied, and the tail at that time */
    uint64_t collected;                 /* the collector's position */
    uint32_t words_at_head, events_raw; /* the target's counts at head */
    uint32_t words_seen;                /* the last count of words read */
    uint64_t events_at_head;            /* events_raw, unwrapped */
    bool counted;                       /* events_raw and events_at_head are known */
    bool based;                         /* events_base is known */
    uint64_t events_base;               /* events before the stream's first */
    uint64_t guard; /* without totals: position of words that were read last, to see when they are overwritten */
    uint32_t guard_count, guard_words[TXTAP_LOGGER_GUARD_WORDS];
    unsigned tries;        /* exchanges spent waiting for counts that agree */
    bool agreed;           /* the last sample's counts agree */
    uint64_t gone_us;      /* since when the guard is overwritten while the tail stands still; 0: it is not */
    uint32_t dropped;      /* events dropped behind the tail, as last read */
    uint64_t reported;     /* how many of them were already reported as lost */
    uint64_t seen_dropped; /* events dropped before the one at next: at least as many as were seen at the tail */
    uint64_t dropped_us;   /* when the tail moved, or drops were reported, last */
    bool skip_drops;       /* events dropped before the first one are older than the attach: do not report them */

    struct logger_run runs[4];
    size_t run_count, run_at;

    struct txtap_logger_state shown; /* the time of events by the last commit; the other fields are not used */
};

_Static_assert(sizeof(struct logger_inside) <= sizeof(struct txtap_logger_ring),
               "raise TXTAP_LOGGER_STORAGE: a new interface");
_Static_assert(_Alignof(struct logger_inside) <= _Alignof(struct txtap_logger_ring),
               "align the storage of struct txtap_logger_ring");

/* The storage has characters, so that the compiler expects any content in it. */
static inline struct logger_inside *logger_inside(struct txtap_logger_ring *ring)
{
    return (struct logger_inside *)(void *)ring->storage.bytes;
}

static inline const struct logger_inside *logger_inside_const(const struct txtap_logger_ring *ring)
{
    return (const struct logger_inside *)(const void *)ring->storage.bytes;
}

#endif
