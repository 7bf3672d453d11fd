/* SPDX-License-Identifier: MIT */
/*
 * The stream of a ring's reader, in a random run that numbers the events it writes: each event is delivered once and in
 * order, or is counted by a gap at its place.
 */
#ifndef TXTAP_TESTS_RING_STREAM_CHECK_H
#define TXTAP_TESTS_RING_STREAM_CHECK_H

#include <stdbool.h>
#include <stdint.h>

struct stream_check {
    bool anything;     /* an event was delivered */
    bool reported;     /* an event was delivered or counted */
    bool unsure;       /* there was an "at least" gap since the last event */
    uint32_t lap;      /* the size of that gap is known modulo this number; 1: the size is unknown */
    bool based;        /* base is known */
    uint64_t base;     /* an event's number minus its seq */
    uint64_t next_seq; /* of the next event or gap */
    /* the least possible number of the next event: after the last event and the events counted since then */
    uint64_t next;
    uint64_t delivered, lost, inexact_gaps;
    const char *violation; /* the first violation, or NULL */
};

/* Notes a violation. Returns the condition. */
bool stream_violated_if(struct stream_check *check, bool condition, const char *violation);

void stream_take_gap(struct stream_check *check, uint64_t seq, uint64_t lost, bool exact, uint32_t lap);
void stream_take_event(struct stream_check *check, uint64_t seq, uint64_t number);

/* Notes that the reader cannot know how many events are missing before the next one. */
void stream_doubt(struct stream_check *check);

/* Returns true if `number` can be the number of the next event, by the size of an "at least" gap before it. */
bool stream_fits(const struct stream_check *check, uint64_t number);

#endif
