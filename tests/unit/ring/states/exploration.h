/* SPDX-License-Identifier: MIT */
/*
 * The search's model: the real ring reader and a writer that may move between the words it reads. exchange.c
 * computes what can follow a state, attach.c where a stream begins, ends.c what must be true wherever a stream ends
 * or the writer rests; print.c prints.
 */
#ifndef TXTAP_TESTS_RING_STATES_EXPLORATION_H
#define TXTAP_TESTS_RING_STATES_EXPLORATION_H

#include "ring/states/memory.h"
#include "ring/states/search.h"
#include "ring/states/state.h"

#define WORDS_MAX        (TXTAP_RING_READS_MAX * 8 + SLOTS_MAX * 8)
#define LAPS_AHEAD       8     /* limit of the writer's lead over the reader, in laps, in explored states */
#define NEVER_CLOSE_US   1     /* minimum time between two exchanges */
#define RESTED_HELD_US   2500  /* time after which a held entry is released */
#define RESTED_WRITER_US 60000 /* time after which no writer is between two stores */

struct exploration {
    struct search search; /* must be first: search_expand gets a pointer to it */
    const struct configuration *configuration;
    struct ring_inside template;
    uint8_t buffer[TXTAP_RING_BUFFER_MIN * TXTB_ENTRY_BYTES];

    /* The current exchange: */
    struct fixture before;
    struct txtap_ring_plan plan;
    uint64_t plan_us, commit_us;
    struct word words[WORDS_MAX];
    size_t word_count;
    int32_t stores_limit;
    struct moment read_at[WORDS_MAX]; /* the moment at which each word was read */
    int read[WORDS_MAX];              /* the event or number of each word that was read: see writer_value() */

    struct memories memories;
    uint64_t exchanges, interleavings, pruned;
};

/* Reports to the search all states in which the reader may begin. */
void explore_attaches(struct search *search, unsigned configuration);

/* Reports all possible successors of a state: the model's search_expand. */
void explore(struct search *search, const void *state);

/* Plans the current exchange, from x->before, and lists its words. */
void exchange_plan(struct exploration *x);
/* Stores each word, with its value at its moment, at the place that the plan names. */
void exchange_read_at_once(struct exploration *x, struct moment at);
/*
 * Commits the exchange's answers on a copy of x->before. Returns NULL, or the violation. *moved: the reader
 * correctly reports a new trace; its stream ends.
 */
const char *exchange_take(struct exploration *x, struct fixture *after, struct moment at,
                          struct txtap_ring_batch *batch, bool *moved);

/*
 * Reports violations of two rules to the search: a stream may end in any state, and the writer may rest in any state.
 */
void explore_ends(struct exploration *x, const struct state *state);

/* Prints the steps. */
void print_attach(const struct search *search, const void *state);
void print_exchange(const struct exploration *x, const struct fixture *after, const struct txtap_ring_batch *batch);
void print_lowered(unsigned laps);

#endif
