/* SPDX-License-Identifier: MIT */
/*
 * Checks what the reader delivers: every event written after the attach is delivered once, in order and intact, or
 * counted in a gap at its place. An event's words contain its number.
 */
#ifndef TXTAP_TESTS_RING_STATES_ORACLE_H
#define TXTAP_TESTS_RING_STATES_ORACLE_H

#include "ring/states/writer.h"

struct oracle {
    uint8_t anything;      /* an event was delivered */
    uint8_t reported;      /* an event was delivered, or at least counted */
    uint8_t unsure;        /* there was a gap of "at least" since the last event */
    uint8_t based;         /* base is known */
    uint8_t may_say_least; /* gaps may be inexact: laps are not counted, or seem not to be */
    uint8_t unused[3];
    int32_t last, next_seq; /* the last event delivered; the stream so far ends before next_seq */
    int32_t base;           /* an event's number minus its sequence number */
    int32_t missed;         /* events in gaps since the last event */
    /* These three are used only until the first event is delivered. */
    int32_t wanted;          /* the first event that must be delivered or counted */
    int32_t wanted_position; /* the reader's position of that event */
    int32_t not_before;      /* the first event that may be delivered */
};

/* The oracle's input. */
struct hearing {
    const struct configuration *configuration;
    struct moment at;
    uint64_t seq_base;       /* the reader's position of sequence number 0 */
    bool laps_known;         /* no lap before the first event can have been missed: see reader-proof-guard.md */
    bool guarded;            /* the reader had read an entry when the exchange began */
    bool at_end;             /* the stream ends here, without waiting for an uncounted lap */
    const char *contradicts; /* NULL: no contradiction so far */
};

void oracle_hear(struct oracle *oracle, struct hearing *hearing, const struct txtap_ring_batch *batch);

#endif
