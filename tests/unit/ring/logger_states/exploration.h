/* SPDX-License-Identifier: MIT */
/*
 * The search's model: the real reader of the logger's ring and a target that may go on between the words it reads.
 * paths.c has what the target can do within an exchange, exchange.c what can follow a state, ends.c what must be true
 * wherever a stream ends or the target rests; print.c prints.
 */
#ifndef TXTAP_TESTS_LOGGER_STATES_EXPLORATION_H
#define TXTAP_TESTS_LOGGER_STATES_EXPLORATION_H

#include "ring/states/search.h"
#include "ring/logger_states/paths.h"
#include "ring/logger_states/state.h"

#define WORDS_MAX      (2 * 3 + 6 + 1 + RING_WORDS_MAX + TXTAP_LOGGER_GUARD_WORDS)
#define EVENTS_AHEAD   8 /* states in which the target is further ahead of the reader are not explored */
#define SAID_MAX       64
#define NEVER_CLOSE_US 1 /* least time from one exchange to the next */

/* A word to read. */
struct word {
    struct place place;
    bool begins_piece;
    uint8_t *to;
};

/* An event or a gap that was delivered. */
struct said {
    uint64_t seq, lost;
    bool exact;
    uint32_t number;
};

struct exploration {
    struct search search; /* must be first: search_expand gets a pointer to it */
    const struct configuration *configuration;
    struct txtap_logger_ring template;
    uint8_t raw[4 * RING_WORDS_MAX];
    struct paths paths;

    /* The current exchange: */
    struct fixture before;
    struct txtap_logger_plan plan;
    uint64_t plan_us, commit_us;
    struct word words[WORDS_MAX];
    size_t word_count;
    struct moment read_at[WORDS_MAX]; /* when each word was read */

    struct said said[SAID_MAX]; /* by the last commit or end */
    size_t said_count;

    uint64_t exchanges, interleavings, pruned;
};

/* Reports to the search all states in which the reader may begin. */
void explore_attaches(struct search *search, unsigned configuration);

/* A search_expand: reports everything that can follow. */
void explore(struct search *search, const void *state);

/* Plans the current exchange, from x->before, and lists its words. */
void exchange_plan(struct exploration *x);
/* Stores each word, as it is at its moment, where the plan wants it. */
void exchange_read_at_once(struct exploration *x, const struct moment *at);
/*
 * Commits the exchange's answers on a copy of x->before. Returns NULL, or what is wrong. *moved: the reader reports
 * correctly that the logger was restarted; its stream ends.
 */
const char *exchange_take(struct exploration *x, struct fixture *after, const struct moment *at, bool *moved);
/* Shows the oracle everything that the reader delivers. */
const char *exchange_hear(struct exploration *x, struct fixture *fixture, struct hearing *hearing);
/* A fixture with its own copy of the ring. */
void fixture_copy(struct fixture *to, const struct fixture *from);

/* A stream may end in any state, and the target may rest in any: reports to the search what is wrong then. */
void explore_ends(struct exploration *x, const struct state *state);

/* Prints. */
void print_attach(const struct search *search, const void *state);
void print_exchange(const struct exploration *x, const struct fixture *after);
void print_figures(const struct search *search);

#endif
