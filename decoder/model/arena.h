/* SPDX-License-Identifier: MIT */
/* Lays tables out in one piece of the caller's memory: once to measure it, once to use it. */
#ifndef TXTAP_DECODER_MODEL_ARENA_H
#define TXTAP_DECODER_MODEL_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ARENA_ALIGNMENT 16u

struct arena {
    uint8_t *memory; /* NULL: only measures */
    size_t used;
};

/* count elements of that size, not initialized; NULL if the arena only measures. */
static inline void *arena_reserve(struct arena *arena, size_t count, size_t size)
{
    size_t at = arena->used, bytes = (count * size + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;

    arena->used += bytes;
    return arena->memory != NULL ? arena->memory + at : NULL;
}

/* The same, all 0. */
static inline void *arena_take(struct arena *arena, size_t count, size_t size)
{
    void *elements = arena_reserve(arena, count, size);

    return elements != NULL ? memset(elements, 0, count * size) : NULL;
}

#endif
