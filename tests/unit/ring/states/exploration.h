/* SPDX-License-Identifier: MIT */
/*
 * The search's model: the real ring reader, and a writer that may move between the words that the reader reads.
 * attach.c computes the first states, exchange.c the successors of a state. ends.c checks each state as the end of
 * the stream and as a rest of the writer. print.c prints the steps.
 */
#ifndef TXTAP_TESTS_RING_STATES_EXPLORATION_H
#define TXTAP_TESTS_RING_STATES_EXPLORATION_H

#include "ring/states/memory.h"
#include "ring/states/search.h"
#include "ring/states/state.h"

#define WORDS_MAX        (TXTAP_RING_READS_MAX * 8 + SLOTS_MAX * 8)
#define LAPS_AHEAD       8     /* limit of the writer's lead over the reader, in laps, in explored states */
#define NEVER_CLOSE_US   1     /* minimum time between two exchanges */
#define RESTED_HELD_US   2500  /* after this time a held entry is released */
#define RESTED_WRITER_US 60000 /* after this time the writer has finished its event */

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
    int read[WORDS_MAX];              /* the event or number in each word that was read: see writer_value() */

    struct memories memories;
    uint64_t exchanges, interleavings, pruned;
};

/* Reports all states in which the reader may begin to the search. */
void explore_attaches(struct search *search, unsigned configuration);

/* Reports all possible successors of a state: the model's search_expand. */
void explore(struct search *search, const void *state);

/* Plans the current exchange, from x->before, and lists the words to read. */
void exchange_plan(struct exploration *x);
/* Reads all words at the moment `at`, and stores them where the plan wants them. */
void exchange_read_at_once(struct exploration *x, struct moment at);
/*
 * Commits the exchange's answers on a copy of x->before. Returns a violation or NULL. *moved: true if the reader
 * rightly reports a new trace; the stream then ends.
 */
const char *exchange_take(struct exploration *x, struct fixture *after, struct moment at,
                          struct txtap_ring_batch *batch, bool *moved);

/*
 * Tests the state as the end of the stream and as a rest of the writer, and reports violations to the search.
 */
void explore_ends(struct exploration *x, const struct state *state);

/* Print one step to a violation. */
void print_attach(const struct search *search, const void *state);
void print_exchange(const struct exploration *x, const struct fixture *after, const struct txtap_ring_batch *batch);
void print_lowered(unsigned laps);

#endif
