/* SPDX-License-Identifier: MIT */
#include "ring/states/search.h"

#include <string.h>
#include <time.h>

#define CLOCK_EVERY 0xFFFFu /* number of successors between two reads of the clock */

static double seconds_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static bool is_explaining(const struct search *search)
{
    return search->wanted || search->wanted_is;
}

void search_init(struct search *search, size_t state_bytes, uint32_t states_max, double seconds_max)
{
    memset(search, 0, sizeof *search);
    state_set_init(&search->set, state_bytes, states_max);
    search->seconds_max = seconds_max;
    search->seconds = seconds_now();
}

void search_free(struct search *search)
{
    state_set_free(&search->set);
}

static void add(struct search *search, const void *state, uint32_t parent)
{
    uint32_t index;

    if (!state_add(&search->set, state, parent, &index))
        search->gave_up = "too many states";
}

void search_begin_at(struct search *search, const void *state)
{
    add(search, state, STATE_NONE);
}

bool search_reached(struct search *search, const void *state)
{
    if (is_explaining(search)) {
        search->found = search->wanted && memcmp(state, search->wanted, search->set.state_bytes) == 0;
        return search->found;
    }
    if ((++search->successors & CLOCK_EVERY) == 0 && seconds_now() - search->seconds > search->seconds_max)
        search->gave_up = "out of time";
    add(search, state, search->current);
    return false;
}

bool search_violated(struct search *search, const char *what)
{
    struct violation *violation = search->violations;

    if (is_explaining(search)) {
        search->found = search->wanted_is && strcmp(what, search->wanted_is) == 0;
        return search->found;
    }
    search->successors++;
    for (unsigned i = 0; i < search->violation_count; i++, violation++)
        if (strcmp(violation->what, what) == 0) {
            violation->times++;
            return false;
        }
    if (search->violation_count == VIOLATION_KINDS_MAX)
        search->gave_up = "too many kinds of violations";
    else
        search->violations[search->violation_count++] = (struct violation){what, search->current, 1};
    return false;
}

bool search_is_over(const struct search *search)
{
    return is_explaining(search) ? search->found : search->gave_up != NULL;
}

static uint32_t depth_of(const struct search *search, uint32_t index)
{
    uint32_t depth = 0;

    while ((index = search->set.parents[index]) != STATE_NONE)
        depth++;
    return depth;
}

/* Expands one state. `expand` gets a copy of it, because it may add states and so move the set's memory. */
static void expand_one(struct search *search, search_expand *expand, uint32_t index)
{
    static uint8_t copy[4096];

    memcpy(copy, state_at(&search->set, index), search->set.state_bytes);
    search->current = index;
    expand(search, copy);
}

void search_run(struct search *search, search_expand *expand, bool first_only)
{
    for (uint32_t i = 0; i < search->set.count && !search->gave_up; i++) {
        expand_one(search, expand, i);
        if (first_only && search->violation_count > 0)
            search->gave_up = "a violation";
    }
    if (search->set.count > 0)
        search->depth = depth_of(search, search->set.count - 1);
    search->seconds = seconds_now() - search->seconds;
}

void search_explain(struct search *search, search_expand *expand, const struct violation *violation)
{
    uint32_t depth = depth_of(search, violation->state);
    uint32_t at, next = STATE_NONE;

    for (uint32_t step = 0; step <= depth; step++) {
        at = violation->state;
        for (uint32_t up = step; up < depth; up++) {
            next = at;
            at = search->set.parents[at];
        }
        search->found = false;
        search->wanted = step < depth ? state_at(&search->set, next) : NULL;
        search->wanted_is = step < depth ? NULL : violation->what;
        expand_one(search, expand, at);
    }
    search->wanted = search->wanted_is = NULL;
}
