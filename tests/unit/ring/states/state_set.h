/* SPDX-License-Identifier: MIT */
/*
 * A set of states of one size. States are stored completely and compared byte by byte, so two states are never
 * confused. Each has a link to the state from which it was first reached. The set does not know the meaning of a
 * state.
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
    uint32_t *parents; /* STATE_NONE: an initial state */
    uint32_t *table;   /* hash table of index + 1; 0: free */
    uint32_t table_mask;
};

/* Initializes an empty set. limit: maximum number of states. Ends the program if there is not enough memory. */
void state_set_init(struct state_set *set, size_t state_bytes, uint32_t limit);
void state_set_free(struct state_set *set);

const void *state_at(const struct state_set *set, uint32_t index);

/* Removes all states. */
void state_set_clear(struct state_set *set);

/* Adds the state unless it is there; *index: its number. False: the set is full. */
bool state_add(struct state_set *set, const void *state, uint32_t parent, uint32_t *index);

#endif
