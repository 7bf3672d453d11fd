/* SPDX-License-Identifier: MIT */
#include "ring/logger_states/paths.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOMENTS_MAX 1000000u

static void *resized(void *memory, size_t count, size_t size)
{
    void *grown = realloc(memory, count * size);

    if (!grown) {
        fprintf(stderr, "no memory for %zu times %zu bytes of paths\n", count, size);
        exit(2);
    }
    return grown;
}

static uint32_t place_number(struct place place)
{
    switch (place.kind) {
    case PLACE_ITEM:
        return place.index;
    case PLACE_TOTALS:
        return RING_WORDS_MAX + place.index;
    case PLACE_HEAD:
        return RING_WORDS_MAX + 3;
    case PLACE_TAIL:
        return RING_WORDS_MAX + 4;
    case PLACE_DROPPED:
        return RING_WORDS_MAX + 5;
    case PLACE_BUFFER:
        return RING_WORDS_MAX + 6;
    case PLACE_CONSTANT:
        return RING_WORDS_MAX + 7;
    }
    abort();
}

/* Events put or dropped, including the current one. */
static uint32_t begun(const struct moment *at)
{
    return at->number + (at->again ? at->first_end : 0);
}

const struct moment *paths_moment(const struct paths *paths, uint32_t moment)
{
    return state_at(&paths->moments, moment);
}

static void make_room(struct paths *paths)
{
    if (paths->moments.room > paths->moment_room) {
        paths->moment_room = paths->moments.room;
        paths->of_moment = resized(paths->of_moment, paths->moment_room, sizeof *paths->of_moment);
        paths->changes = resized(paths->changes, paths->moment_room, PLACES_MAX * sizeof *paths->changes);
        paths->queue = resized(paths->queue, paths->moment_room, sizeof *paths->queue);
        paths->seen = resized(paths->seen, paths->moment_room, 2 * sizeof *paths->seen);
    }
    if (paths->step_count + STEPS_MAX > paths->step_room) {
        paths->step_room = 2 * (paths->step_count + STEPS_MAX);
        paths->steps = resized(paths->steps, paths->step_room, sizeof *paths->steps);
    }
}

static void add_steps(struct paths *paths, uint32_t moment, uint32_t begun_max)
{
    const struct configuration *c = paths->configuration;
    struct moment at = *paths_moment(paths, moment), next[STEPS_MAX];
    struct place stored[STEPS_MAX];
    unsigned count = writer_steps(c, &at, next, stored);

    make_room(paths);
    paths->of_moment[moment] = (struct moment_steps){paths->step_count, 0};
    memset(paths->changes + (size_t)moment * PLACES_MAX, 0, PLACES_MAX * sizeof *paths->changes);
    memset(paths->seen + 2 * (size_t)moment, 0, 2 * sizeof *paths->seen);
    for (unsigned i = 0; i < count; i++) {
        bool changes = writer_value(c, &at, stored[i]) != writer_value(c, &next[i], stored[i]);
        struct step *step = &paths->steps[paths->step_count];

        if (begun(&next[i]) > begun_max)
            continue;
        if (!state_add(&paths->moments, &next[i], moment, &step->to)) {
            fprintf(stderr, "a target does more than is expected in one exchange\n");
            exit(2);
        }
        step->place = changes ? place_number(stored[i]) : PLACES_MAX;
        paths->step_count++;
        paths->of_moment[moment].count++;
    }
}

void paths_from(struct paths *paths, const struct configuration *c, const struct moment *at)
{
    uint32_t ignored;

    paths->configuration = c;
    if (paths->moments.state_bytes == 0)
        state_set_init(&paths->moments, sizeof *at, MOMENTS_MAX);
    state_set_clear(&paths->moments);
    paths->step_count = paths->found_count = 0;
    paths->look = 0;
    state_add(&paths->moments, at, STATE_NONE, &ignored);
    for (uint32_t i = 0; i < paths->moments.count; i++)
        add_steps(paths, i, begun(at) + c->events);
}

void paths_free(struct paths *paths)
{
    if (paths->moments.state_bytes == 0)
        return;
    state_set_free(&paths->moments);
    free(paths->of_moment);
    free(paths->changes);
    free(paths->steps);
    free(paths->found);
    free(paths->queue);
    free(paths->seen);
}

static void find_changes(struct paths *paths, uint32_t moment, uint32_t place)
{
    uint32_t queued = 0;
    uint64_t look = ++paths->look;

    if (paths->found_count + paths->moments.count > paths->found_room) {
        paths->found_room = 2 * (paths->found_count + paths->moments.count);
        paths->found = resized(paths->found, paths->found_room, sizeof *paths->found);
    }
    paths->queue[queued++] = moment;
    paths->seen[2 * moment] = look;
    for (uint32_t i = 0; i < queued; i++) {
        const struct moment_steps *of = &paths->of_moment[paths->queue[i]];

        for (const struct step *step = paths->steps + of->first; step < paths->steps + of->first + of->count; step++) {
            if (step->place == place && paths->seen[2 * step->to + 1] != look) {
                paths->seen[2 * step->to + 1] = look;
                paths->found[paths->found_count++] = step->to;
            }
            if (paths->seen[2 * step->to] == look)
                continue;
            paths->seen[2 * step->to] = look;
            paths->queue[queued++] = step->to;
        }
    }
}

struct changes paths_changes(struct paths *paths, uint32_t moment, struct place place)
{
    uint32_t number = place_number(place);
    struct changes *changes = &paths->changes[(size_t)moment * PLACES_MAX + number];

    if (!changes->known) {
        changes->known = true;
        changes->first = paths->found_count;
        find_changes(paths, moment, number);
        changes->count = paths->found_count - changes->first;
    }
    return *changes;
}

uint32_t paths_finished(const struct paths *paths, uint32_t moment)
{
    while (paths_moment(paths, moment)->at_work != AT_REST) {
        assert(paths->of_moment[moment].count > 0); /* the first one goes on */
        moment = paths->steps[paths->of_moment[moment].first].to;
    }
    return moment;
}
