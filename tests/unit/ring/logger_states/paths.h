/* SPDX-License-Identifier: MIT */
/*
 * Everything that the target can do within one exchange: the moments that it can reach, and from each of them those in
 * which a word has just changed. Only these matter to a reader of that word: see exchange.c.
 */
#ifndef TXTAP_TESTS_LOGGER_STATES_PATHS_H
#define TXTAP_TESTS_LOGGER_STATES_PATHS_H

#include "ring/states/state_set.h"
#include "ring/logger_states/writer.h"

#define PLACES_MAX (RING_WORDS_MAX + 8u)

/* How a moment can go on. */
struct step {
    uint32_t to;
    uint32_t place; /* the word that has changed then; PLACES_MAX: none */
};

struct moment_steps {
    uint32_t first, count; /* in steps */
};

/* Moments: first to first + count of found. */
struct changes {
    uint32_t first, count;
    bool known;
};

struct paths {
    const struct configuration *configuration;
    struct state_set moments;
    struct moment_steps *of_moment;
    struct changes *changes; /* PLACES_MAX for each moment */
    struct step *steps;
    uint32_t *found, *queue;
    uint64_t *seen; /* the lookup that saw a moment last, and the one that found it */
    uint32_t moment_room, step_room, step_count, found_room, found_count;
    uint64_t look;
};

/* Moment 0 is the given one. As many events may be put or dropped as the configuration allows. */
void paths_from(struct paths *paths, const struct configuration *c, const struct moment *at);
void paths_free(struct paths *paths);

const struct moment *paths_moment(const struct paths *paths, uint32_t moment);

/* All later moments in which that word has just changed. */
struct changes paths_changes(struct paths *paths, uint32_t moment, struct place place);

/* The moment in which the target's current operation is over. */
uint32_t paths_finished(const struct paths *paths, uint32_t moment);

#endif
