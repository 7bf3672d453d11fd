/* SPDX-License-Identifier: MIT */
/* For randomised tests: the settings TXTAP_SEED and TXTAP_RUNS, and random numbers that are equal on all machines. */
#ifndef TXTAP_TESTS_SEEDS_H
#define TXTAP_TESTS_SEEDS_H

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? strtoull(text, NULL, 0) : otherwise;
}

/* Returns a random number from 0 to `below` - 1 (xorshift64*). The state must not be 0. */
static inline uint32_t next_random(uint64_t *state, uint32_t below)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * 2685821657736338717ull) >> 33) % below;
}

/*
 * Returns how many steps a writer makes between two words read: usually 0, often up to `few`, sometimes up to `more`,
 * rarely up to `burst`.
 */
static inline uint32_t random_steps(uint64_t *state, uint32_t few, uint32_t more, uint32_t burst)
{
    switch (next_random(state, 16)) {
    case 0:
        return next_random(state, more + 1);
    case 1:
        return next_random(state, 64) == 0 ? next_random(state, burst) : 0;
    case 2:
    case 3:
    case 4:
        return next_random(state, few + 1);
    default:
        return 0;
    }
}

#endif
