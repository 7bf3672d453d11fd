/* SPDX-License-Identifier: MIT */
/* Gives keys (addresses, pairs of numbers) the numbers 0, 1, 2, ... in the order in which the keys are first seen. */
#ifndef TXTAP_DECODER_MODEL_TABLE_H
#define TXTAP_DECODER_MODEL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ARENA_ALIGNMENT 16u

/* Places tables in one block of the caller's memory. A first pass only measures the size, and a second pass uses the
 * memory. */
struct arena {
    uint8_t *memory; /* NULL: this pass only measures the size */
    size_t used;
};

/* Reserves `count` uninitialized elements of `size` bytes each. Returns NULL if the arena only measures. */
static inline void *arena_reserve(struct arena *arena, size_t count, size_t size)
{
    size_t at = arena->used, bytes = (count * size + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;

    arena->used += bytes;
    return arena->memory != NULL ? arena->memory + at : NULL;
}

/* Like arena_reserve(), but filled with 0. */
static inline void *arena_take(struct arena *arena, size_t count, size_t size)
{
    void *elements = arena_reserve(arena, count, size);

    return elements != NULL ? memset(elements, 0, count * size) : NULL;
}

#define TABLE_NONE UINT32_MAX

struct table {
    uint64_t *keys;      /* index: the number of the key, 0, 1, ... */
    uint32_t *slots;     /* the number of a key plus one; 0: free slot */
    uint32_t slot_count; /* a power of two, more than capacity */
    uint32_t capacity, count;
    uint64_t left_out; /* look-ups of keys that did not fit */
};

void table_layout(struct table *table, struct arena *arena, uint32_t capacity);

/* Returns the number of a key; TABLE_NONE if the key has no number. */
uint32_t table_find(const struct table *table, uint64_t key);

/*
 * Returns the number of a key. Adds the key if it has no number yet. TABLE_NONE: the table is full. *added: true if the
 * key was new.
 */
uint32_t table_add(struct table *table, uint64_t key, bool *added);

/* Returns a key made of two numbers. */
static inline uint64_t table_pair(uint32_t first, uint32_t second)
{
    return (uint64_t)first << 32 | second;
}

#endif
