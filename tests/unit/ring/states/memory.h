/* SPDX-License-Identifier: MIT */
/*
 * The target's memory at one moment, computed by writer_value() and writer_next(). A search needs the same words at
 * the same moments millions of times, so the memory of recent moments is cached.
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
    int events[MEMORY_WORDS];   /* the event or number in each word: see writer_value() */
    int32_t next[MEMORY_WORDS]; /* stores of the moment just after the next store to each word: see writer_next() */
};

struct memories {
    struct memory kept[MEMORIES_KEPT];
};

/* Returns the index of the word in the arrays of struct memory. */
unsigned memory_place(const struct word *word);

/* Returns the memory at a moment. The result is valid until the next call. */
const struct memory *memory_at(struct memories *memories, const struct configuration *c, struct moment at);

/* Like writer_next(), for a word of this memory. */
bool memory_next(const struct memory *memory, unsigned place, struct moment *at);

#endif
