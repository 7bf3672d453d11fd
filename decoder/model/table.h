/* SPDX-License-Identifier: MIT */
/* Numbers 0, 1, 2, ... for keys in the order in which they are first seen: addresses, pairs of numbers. */
#ifndef TXTAP_DECODER_MODEL_TABLE_H
#define TXTAP_DECODER_MODEL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/arena.h"

#define TABLE_NONE UINT32_MAX

struct table {
    uint64_t *keys;      /* of number 0, 1, ... */
    uint32_t *slots;     /* number plus one; 0: free */
    uint32_t slot_count; /* a power of two, more than capacity */
    uint32_t capacity, count;
    uint64_t left_out; /* look-ups of keys that did not fit */
};

void table_layout(struct table *table, struct arena *arena, uint32_t capacity);

/* The number of a key, TABLE_NONE if it has none. */
uint32_t table_find(const struct table *table, uint64_t key);

/* The number of a key, which gets one if it has none; TABLE_NONE: the table is full. *added: it got one now. */
uint32_t table_add(struct table *table, uint64_t key, bool *added);

/* The key of two numbers. */
static inline uint64_t table_pair(uint32_t first, uint32_t second)
{
    return (uint64_t)first << 32 | second;
}

#endif
