/* SPDX-License-Identifier: MIT */
/*
 * The search's model: the real ring reader and a writer that may move between the words it reads. exchange.c has what
 * can follow a state, attach.c where it begins, ends.c what must be true wherever a stream ends or the writer rests;
 * print.c prints.
 */
#ifndef TXTAP_TESTS_RING_STATES_EXPLORATION_H
#define TXTAP_TESTS_RING_STATES_EXPLORATION_H

#include "ring/states/memory.h"
#include "ring/states/search.h"
#include "ring/states/state.h"

#define WORDS_MAX        (TXTAP_RING_READS_MAX * 8 + SLOTS_MAX * 8)
#define LAPS_AHEAD       8     /* states in which the writer is further ahead of the reader are not explored */
#define NEVER_CLOSE_US   1     /* least time from one exchange to the next */
#define RESTED_HELD_US   2500  /* long enough for a held entry, */
#define RESTED_WRITER_US 60000 /* and to be sure that no writer is between two stores */

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
    struct moment read_at[WORDS_MAX]; /* when each word was read, */
    int read[WORDS_MAX];              /* and what it was: see writer_value() */

    struct memories memories;
    uint64_t exchanges, interleavings, pruned;
};

/* Reports to the search all states in which the reader may begin. */
void explore_attaches(struct search *search, unsigned configuration);

/* A search_expand: reports everything that can follow. */
void explore(struct search *search, const void *state);

/* Plans the current exchange, from x->before, and lists its words. */
void exchange_plan(struct exploration *x);
/* Stores each word, as it is at its moment, where the plan wants it. */
void exchange_read_at_once(struct exploration *x, struct moment at);
/*
 * Commits the exchange's answers on a copy of x->before. Returns NULL, or what is wrong. *moved: the reader reports
 * correctly that there is a new trace; its stream ends.
 */
const char *exchange_take(struct exploration *x, struct fixture *after, struct moment at,
                          struct txtap_ring_batch *batch, bool *moved);

/* A stream may end in any state, and the writer may rest in any: reports to the search what is wrong then. */
void explore_ends(struct exploration *x, const struct state *state);

/* Prints. */
void print_attach(const struct search *search, const void *state);
void print_exchange(const struct exploration *x, const struct fixture *after, const struct txtap_ring_batch *batch);
void print_lowered(unsigned laps);

#endif
