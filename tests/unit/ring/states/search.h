/* SPDX-License-Identifier: MIT */
/*
 * Breadth-first search through all states of a model. A model is a function that reports the successors of a state.
 * The search keeps the first violation of each kind, so the path to it is one of the shortest. search_explain()
 * repeats that path and lets the model print each step. Knows nothing of rings.
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
    uint32_t depth;     /* depth of that state */
    struct violation violations[VIOLATION_KINDS_MAX];
    unsigned violation_count;
    uint64_t successors;   /* number of reported successors, including known states */
    const char *gave_up;   /* why not all states were visited; NULL: all were visited */
    double seconds;        /* CPU time of the search */
    const void *wanted;    /* while explaining: the successor to find, or NULL */
    const char *wanted_is; /* while explaining: the violation to find, or NULL */
    bool found;            /* while explaining: the wanted state or violation was reported */
};

/* Reports to search_reached() and search_violated() all possible successors of the state. */
typedef void search_expand(struct search *search, const void *state);

void search_init(struct search *search, size_t state_bytes, uint32_t states_max, double seconds_max);
void search_free(struct search *search);

void search_begin_at(struct search *search, const void *state);

/* Runs until all states are visited. first_only: or until there is a violation. */
void search_run(struct search *search, search_expand *expand, bool first_only);

/* Reports a successor; called by `expand`. True: this step is being explained; print the step. */
bool search_reached(struct search *search, const void *state);
bool search_violated(struct search *search, const char *what);
/* Returns true if no more successors of this state are needed. */
bool search_is_over(const struct search *search);

/* Expands the states on the path to a violation again, the last state up to the violation. */
void search_explain(struct search *search, search_expand *expand, const struct violation *violation);

#endif
