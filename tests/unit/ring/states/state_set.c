/* SPDX-License-Identifier: MIT */
#include "ring/states/state_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *resized(void *memory, size_t bytes)
{
    void *grown = realloc(memory, bytes);

    if (!grown) {
        fprintf(stderr, "no memory for %zu bytes of states\n", bytes);
        exit(2);
    }
    return grown;
}

static uint64_t mix(uint64_t h, const uint8_t *bytes, size_t length)
{
    uint64_t word = 0;

    memcpy(&word, bytes, length);
    h = (h ^ word) * 0xFF51AFD7ED558CCDull;
    return h ^ h >> 32;
}

/* Returns the hash of a state. It has two halves, because the processor can multiply two numbers in parallel. */
static uint32_t hash(const uint8_t *bytes, size_t length)
{
    uint64_t even = 0x9E3779B97F4A7C15ull, odd = 0xC2B2AE3D27D4EB4Full;

    for (; length >= 16; bytes += 16, length -= 16) {
        even = mix(even, bytes, 8);
        odd = mix(odd, bytes + 8, 8);
    }
    even ^= odd;
    for (; length >= 8; bytes += 8, length -= 8)
        even = mix(even, bytes, 8);
    return (uint32_t)mix(even, bytes, length);
}

static uint8_t *bytes_at(const struct state_set *set, uint32_t index)
{
    return set->states + (size_t)index * set->state_bytes;
}

/* Returns the state's index in the table; if the state is new, a free index for it. */
static uint32_t place_of(const struct state_set *set, const void *state)
{
    uint32_t place = hash(state, set->state_bytes) & set->table_mask;

    while (set->table[place] != 0 && memcmp(bytes_at(set, set->table[place] - 1), state, set->state_bytes) != 0)
        place = (place + 1) & set->table_mask;
    return place;
}

static void grow(struct state_set *set)
{
    uint32_t places;

    set->room = set->room ? 2 * set->room : 1024;
    places = 4 * set->room;
    set->states = resized(set->states, (size_t)set->room * set->state_bytes);
    set->parents = resized(set->parents, (size_t)set->room * sizeof *set->parents);
    set->table = resized(set->table, (size_t)places * sizeof *set->table);
    set->table_mask = places - 1;
    memset(set->table, 0, (size_t)places * sizeof *set->table);
    for (uint32_t i = 0; i < set->count; i++)
        set->table[place_of(set, bytes_at(set, i))] = i + 1;
}

void state_set_init(struct state_set *set, size_t state_bytes, uint32_t limit)
{
    memset(set, 0, sizeof *set);
    set->state_bytes = state_bytes;
    set->limit = limit;
    grow(set);
}

void state_set_free(struct state_set *set)
{
    free(set->states);
    free(set->parents);
    free(set->table);
}

const void *state_at(const struct state_set *set, uint32_t index)
{
    return bytes_at(set, index);
}

void state_set_clear(struct state_set *set)
{
    set->count = 0;
    memset(set->table, 0, ((size_t)set->table_mask + 1) * sizeof *set->table);
}

bool state_add(struct state_set *set, const void *state, uint32_t parent, uint32_t *index)
{
    uint32_t place = place_of(set, state);

    *index = set->table[place] - 1;
    if (set->table[place] != 0)
        return true;
    if (set->count == set->limit)
        return false;
    if (set->count == set->room) {
        grow(set);
        place = place_of(set, state);
    }
    memcpy(bytes_at(set, set->count), state, set->state_bytes);
    set->parents[set->count] = parent;
    *index = set->count;
    set->table[place] = ++set->count;
    return true;
}
