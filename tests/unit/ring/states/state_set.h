/* SPDX-License-Identifier: MIT */
/*
 * A set of states of one size. States are stored as a whole and compared byte by byte, so no two are ever confused.
 * Each has a link to the state from which it was first reached. It does not know what a state means.
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
    uint8_t *states;   /* count of them, in the order in which they were added */
    uint32_t *parents; /* STATE_NONE: a first one */
    uint32_t *table;   /* hash table of index + 1; 0: free */
    uint32_t table_mask;
};

/* limit: the most states that are kept. Ends the program if there is no memory. */
void state_set_init(struct state_set *set, size_t state_bytes, uint32_t limit);
void state_set_free(struct state_set *set);

const void *state_at(const struct state_set *set, uint32_t index);

/* Forgets all of them. */
void state_set_clear(struct state_set *set);

/* Adds the state unless it is there; *index: its number. False: the set is full. */
bool state_add(struct state_set *set, const void *state, uint32_t parent, uint32_t *index);

#endif
