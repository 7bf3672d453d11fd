/* SPDX-License-Identifier: MIT */
/*
 * The main program of a search: visits every state of the configurations named on the command line, or lists all
 * configurations. Knows nothing of rings.
 */
#ifndef TXTAP_TESTS_RUN_STATES_H
#define TXTAP_TESTS_RUN_STATES_H

#include "ring/states/search.h"

/* The name of a configuration. by_hand: it takes long, so the tests do not run it. */
struct states_name {
    const char *name;
    bool by_hand;
};

struct states_model {
    const char *program;
    unsigned count; /* number of configurations */
    struct states_name (*name)(unsigned configuration);
    size_t (*state_bytes)(unsigned configuration);
    struct search *search; /* the first member of the model's own struct */
    /* Prepares the model's own struct, except for `search`, and reports the first states to the search. */
    void (*begin)(struct search *search, unsigned configuration);
    search_expand *expand;
    void (*print_first)(const struct search *search, const void *state);
    void (*print_figures)(const struct search *search);
};

/*
 * The work of main(). Fails if a configuration has a violation, or if some of its states could not be visited. Each
 * argument is the name of a configuration. An argument that ends with a dot is a prefix, which selects all
 * configurations with it except those for runs by hand.
 */
int states_main(const struct states_model *model, int argc, char **argv);

#endif
