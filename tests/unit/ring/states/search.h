/* SPDX-License-Identifier: MIT */
/*
 * Breadth-first search through all states of a model. A model is a function that reports the successors of a state.
 * The search keeps the first violation of each kind, so no path to such a violation is shorter. search_explain()
 * repeats this path and lets the model print each step. Knows nothing of rings.
 */
#ifndef TXTAP_TESTS_SEARCH_H
#define TXTAP_TESTS_SEARCH_H

#include "ring/states/state_set.h"

#define VIOLATION_KINDS_MAX 16

struct violation {
    const char *what;
    uint32_t state; /* the violation occurs in a successor of this state */
    uint64_t times;
};

struct search {
    struct state_set set;
    double seconds_max; /* limit of CPU time */
    uint32_t current;   /* the state whose successors are being listed */
    uint32_t depth;     /* number of steps from an initial state to `current` */
    struct violation violations[VIOLATION_KINDS_MAX];
    unsigned violation_count;
    uint64_t successors;   /* number of reported successors; known states count, too */
    const char *gave_up;   /* the reason why some states were not visited; NULL: all were visited */
    double seconds;        /* CPU time of the search */
    const void *wanted;    /* while explaining: the successor to find, or NULL */
    const char *wanted_is; /* while explaining: the violation to find, or NULL */
    bool found;            /* while explaining: the wanted state or violation was reported */
};

/* Reports all possible successors of the state with search_reached(), and violations with search_violated(). */
typedef void search_expand(struct search *search, const void *state);

void search_init(struct search *search, size_t state_bytes, uint32_t states_max, double seconds_max);
void search_free(struct search *search);

void search_begin_at(struct search *search, const void *state);

/* Runs until all states are visited. first_only: stop at the first violation. */
void search_run(struct search *search, search_expand *expand, bool first_only);

/* Called by `expand` for each successor. Returns true if the search wants this step printed. */
bool search_reached(struct search *search, const void *state);
bool search_violated(struct search *search, const char *what);
/* Returns true if `expand` need not report more successors. */
bool search_is_over(const struct search *search);

/* Expands the states on the path to a violation again. In the last state, it stops at the violation. */
void search_explain(struct search *search, search_expand *expand, const struct violation *violation);

#endif
