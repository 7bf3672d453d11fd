/* SPDX-License-Identifier: MIT */
/*
 * The state between two exchanges: the writer's moment, the reader's data, and the delivered stream. A state contains
 * only what can change the future. Times become classes of age. After the reader has started and knows whether laps
 * are counted, whole laps are subtracted from all positions.
 */
#ifndef TXTAP_TESTS_RING_STATES_STATE_H
#define TXTAP_TESTS_RING_STATES_STATE_H

#include "ring/states/oracle.h"
#include "ring/txtb_inside.h"

#define NOW_US 1000000000u /* the end of the last exchange, in every state */

/* Writer, reader and oracle, unpacked so that they can run. */
struct fixture {
    const struct configuration *configuration;
    struct moment at;
    union {
        struct txtap_ring ring;
        struct ring_inside inside; /* internals of the same ring */
    };
    struct oracle oracle;
};

/* The packed form of a fixture, which is stored and compared byte by byte. */
struct state {
    uint32_t laps, half_laps, half_laps_at, left_words_at, life, next, read_end, head, start, head_at_attach, seq_base;
    uint8_t laps_state, started, inexact, not_wrapped_yet, guard_known, guard_gone, overtaken, behind, losing, rested;
    uint8_t guard_gone_age, newest_age; /* 0: not set; otherwise a class of age + 1 */
    uint8_t held_age[TXTAP_RING_HOLD_ENTRIES], seen_age[TXTAP_RING_HOLD_ENTRIES];
    uint8_t guard[TXTAP_RING_GUARD_BYTES], newest[TXTB_ENTRY_BYTES];
    uint8_t held[TXTAP_RING_HOLD_ENTRIES][TXTB_ENTRY_BYTES];
    struct moment at;
    struct oracle oracle;
};

/* Packs the fixture. now_us: time of the last commit. Returns the number of laps subtracted from all positions. */
unsigned state_pack(struct state *state, const struct fixture *fixture, uint64_t now_us);

/* Unpacks a state. template: a ring just after the attach, for its buffer and geometry. */
void state_unpack(struct fixture *fixture, const struct state *state, const struct ring_inside *template);

#endif
