/* SPDX-License-Identifier: MIT */
/*
 * Checks the reader's output: each event written after the attach is delivered once, in order and intact, or a gap at
 * its place counts it. An event's words contain its number.
 */
#ifndef TXTAP_TESTS_RING_STATES_ORACLE_H
#define TXTAP_TESTS_RING_STATES_ORACLE_H

#include "ring/states/writer.h"

struct oracle {
    uint8_t anything;      /* an event was delivered */
    uint8_t reported;      /* an event was delivered, or at least counted */
    uint8_t unsure;        /* since the last event there was a gap of "at least" n events */
    uint8_t based;         /* base is known */
    uint8_t may_say_least; /* gaps may be inexact, because laps are not counted or seem not to be counted */
    uint8_t unused[3];
    int32_t last, next_seq; /* last: the last delivered event; next_seq: sequence number of the next event or gap */
    int32_t base;           /* an event's number minus its sequence number */
    int32_t missed;         /* number of events in gaps since the last delivered event */
    /* The next three members are used only until the first event is delivered. */
    int32_t wanted;          /* the first event that must be delivered or counted */
    int32_t wanted_position; /* the reader's position of that event */
    int32_t not_before;      /* the first event that may be delivered */
};

/* The oracle's input. */
struct hearing {
    const struct configuration *configuration;
    struct moment at;
    uint64_t seq_base;       /* the reader's position of sequence number 0 */
    bool laps_known;         /* no lap can have been missed before the first event: see reader-proof-guard.md */
    bool guarded;            /* when the exchange began, the reader had already read an entry */
    bool at_end;             /* the stream ends here; the reader does not wait for a lap that is not counted yet */
    const char *contradicts; /* NULL: no contradiction so far */
};

void oracle_hear(struct oracle *oracle, struct hearing *hearing, const struct txtap_ring_batch *batch);

#endif
