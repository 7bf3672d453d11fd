/* SPDX-License-Identifier: MIT */
/*
 * Checks the stream of a ring's reader in a random run. The run numbers the events that it writes. Each event must be
 * delivered once and in order, or a gap at its place must count it.
 */
#ifndef TXTAP_TESTS_RING_STREAM_CHECK_H
#define TXTAP_TESTS_RING_STREAM_CHECK_H

#include <stdbool.h>
#include <stdint.h>

struct stream_check {
    bool anything;     /* an event was delivered */
    bool reported;     /* an event was delivered or counted */
    bool unsure;       /* since the last event there was a gap of "at least" n events */
    uint32_t lap;      /* the size of that gap is known modulo this number; 1: the size is unknown */
    bool based;        /* base is known */
    uint64_t base;     /* an event's number minus its seq */
    uint64_t next_seq; /* seq of the next event or gap */
    /* lowest possible number of the next event: the last event's number, plus the events counted since, plus 1 */
    uint64_t next;
    uint64_t delivered, lost, inexact_gaps;
    const char *violation; /* the first violation, or NULL */
};

/* Notes a violation. Returns the condition. */
bool stream_violated_if(struct stream_check *check, bool condition, const char *violation);

void stream_take_gap(struct stream_check *check, uint64_t seq, uint64_t lost, bool exact, uint32_t lap);
void stream_take_event(struct stream_check *check, uint64_t seq, uint64_t number);

/* Notes that the reader cannot know how many events are missing before the next event. */
void stream_doubt(struct stream_check *check);

/* Returns true if the next event can have this number, given the size of an "at least" gap before it. */
bool stream_fits(const struct stream_check *check, uint64_t number);

#endif
