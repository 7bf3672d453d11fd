/* SPDX-License-Identifier: MIT */
/*
 * The state between two exchanges: the target's moment, what the reader keeps, and what it has delivered. It is as
 * small as possible without losing anything that matters: times become classes of age, and positions, numbers and
 * counts are moved down, because only their differences matter.
 */
#ifndef TXTAP_TESTS_LOGGER_STATES_STATE_H
#define TXTAP_TESTS_LOGGER_STATES_STATE_H

#include <stddef.h>

#include "ring/logger_states/oracle.h"

#define NOW_US 1000000000u /* the end of the last exchange, always */

/* Target, reader and oracle as they run. */
struct fixture {
    const struct configuration *configuration;
    struct moment at;
    struct txtap_logger_ring ring; /* its copy belongs to struct exploration */
    uint32_t copy[COPY_WORDS_MAX];
    struct oracle oracle;
};

struct mark {
    uint32_t position;
    uint16_t boundary, events_known;
    int32_t events;
};

/* The same in a form that is stored and compared byte by byte. */
struct state {
    uint8_t only_new, sampled, ready, missed, inexact, counted, based, skip_drops, agreed;
    uint8_t copied_age, gone_age, dropped_age; /* classes of age */
    uint32_t tries, dropped, reported, seen_dropped, guard_count;
    uint32_t next, guard, copied_head;
    uint32_t words_at_head, words_seen, events_raw;
    int32_t events_at_head, events_base, seq;
    struct mark confirmed, read, head, attached;
    uint32_t attached_pending;
    struct oracle oracle;
    struct moment at;
    uint32_t words[COPY_WORDS_MAX + TXTAP_LOGGER_GUARD_WORDS]; /* the copy from next on, then the guard */
};

/* Bytes of a state in this configuration. */
size_t state_bytes(const struct configuration *c);

/* now_us: of the last commit. */
void state_pack(struct state *state, const struct fixture *fixture, uint64_t now_us);

/* template: a ring that was just attached, which provides place and buffers. */
void state_unpack(struct fixture *fixture, const struct state *state, const struct txtap_logger_ring *template);

#endif
