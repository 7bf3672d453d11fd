/* SPDX-License-Identifier: MIT */
/*
 * The target's memory at one moment, computed by writer_value() and writer_next(). A search reads the same words at
 * the same moments millions of times, so memory is kept for the last moments.
 */
#ifndef TXTAP_TESTS_RING_STATES_MEMORY_H
#define TXTAP_TESTS_RING_STATES_MEMORY_H

#include "ring/states/writer.h"

#define MEMORY_WORDS  (WORD_ENTRY + SLOTS_MAX * 8)
#define MEMORIES_KEPT 1024 /* a power of two */

struct memory {
    bool known;
    struct moment at;
    uint32_t values[MEMORY_WORDS];
    int events[MEMORY_WORDS];   /* events of the values: see writer_value() */
    int32_t next[MEMORY_WORDS]; /* stores of the moment just after the next store to the word: see writer_next() */
};

struct memories {
    struct memory kept[MEMORIES_KEPT];
};

/* Returns the place of the word in values and events. */
unsigned memory_place(const struct word *word);

/* Returns the memory at a moment, which is valid until the next call. */
const struct memory *memory_at(struct memories *memories, const struct configuration *c, struct moment at);

/* Does the same as writer_next() for a word in this memory. */
bool memory_next(const struct memory *memory, unsigned place, struct moment *at);

#endif
