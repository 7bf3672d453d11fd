/* SPDX-License-Identifier: MIT */
/*
 * A set of states of equal size. It stores and compares all bytes of a state, so two states are never confused. Each
 * state has a link to its parent, the state from which the search first reached it.
 */
#ifndef TXTAP_TESTS_STATE_SET_H
#define TXTAP_TESTS_STATE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STATE_NONE UINT32_MAX

struct state_set {
    size_t state_bytes;
    uint32_t limit, count, room;
    uint8_t *states;   /* `count` states, in the order in which they were added */
    uint32_t *parents; /* parent of each state; STATE_NONE: an initial state */
    uint32_t *table;   /* hash table of indices + 1; 0: a free place */
    uint32_t table_mask;
};

/* Initializes an empty set. limit: maximum number of states. Ends the program if there is not enough memory. */
void state_set_init(struct state_set *set, size_t state_bytes, uint32_t limit);
void state_set_free(struct state_set *set);

const void *state_at(const struct state_set *set, uint32_t index);

/* Removes all states. */
void state_set_clear(struct state_set *set);

/* Adds the state unless the set has it. *index: the state's index. Returns false if the set is full. */
bool state_add(struct state_set *set, const void *state, uint32_t parent, uint32_t *index);

#endif
