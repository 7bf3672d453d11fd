/* SPDX-License-Identifier: MIT */
/*
 * The program around a search: visits every state of the configurations that are named on the command line, or lists
 * all there are. Knows nothing of rings.
 */
#ifndef TXTAP_TESTS_RUN_STATES_H
#define TXTAP_TESTS_RUN_STATES_H

#include "ring/states/search.h"

/* A name, and whether it takes long: those are not among the ones that the tests run. */
struct states_name {
    const char *name;
    bool by_hand;
};

struct states_model {
    const char *program;
    unsigned count; /* of configurations */
    struct states_name (*name)(unsigned configuration);
    size_t (*state_bytes)(unsigned configuration);
    struct search *search; /* the first member of the model's own struct */
    /* Prepares that struct but for the search, and tells the search where it begins. */
    void (*begin)(struct search *search, unsigned configuration);
    search_expand *expand;
    void (*tell_first)(const struct search *search, const void *state);
    void (*tell_figures)(const struct search *search);
};

/*
 * main(): fails if a configuration has a violation, or cannot be closed: if not all its states were visited. A
 * configuration's own name is meant, or with a dot at its end the beginning of those that are not run by hand.
 */
int states_main(const struct states_model *model, int argc, char **argv);

#endif
