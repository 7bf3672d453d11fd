/* SPDX-License-Identifier: MIT */
/* The ring of changes: adds changes, and walks back along the chains. */
#include "why/log.h"

#include "txtap/inner/why.h"

void log_layout(struct log *log, struct arena *arena, uint32_t threads, uint32_t objects, uint32_t steps)
{
    log->threads = threads;
    log->objects = objects;
    log->capacity = steps;
    log->chains = arena_take(arena, log_chain(log, STEP_GAP, 0) + 1, sizeof(*log->chains));
    log->ring = arena_reserve(arena, steps, sizeof(*log->ring));
}

static struct step *slot(const struct log *log, uint64_t number)
{
    return &log->ring[number % log->capacity];
}

static bool in_ring(const struct log *log, uint64_t number)
{
    return number > 0 && number + log->capacity > log->count;
}

uint64_t log_add(struct log *log, uint32_t chain, struct step step)
{
    struct chain *of = &log->chains[chain];
    struct step *at;

    step.at = ++log->count;
    step.previous = of->newest;
    step.subject = chain;
    at = slot(log, step.at);
    if (step.at > log->capacity)
        log->chains[at->subject].base = *at;
    *at = step;
    of->newest = step.at;
    return step.at;
}

void log_learn(struct log *log, uint32_t chain, uint64_t since, uint8_t what)
{
    (void)log_add(log, chain, (struct step){.now = {since, TXTAP_WHY_NO_EVENT}, .what = what, .other = NONE});
}

const struct step *log_get(const struct log *log, uint32_t chain, uint64_t number)
{
    const struct chain *of = &log->chains[chain];

    if (in_ring(log, number))
        return slot(log, number);
    return number > 0 && of->base.at == number ? &of->base : NULL;
}

void log_walk(struct log *log)
{
    log->walk++;
}

static struct chain *begin(struct log *log, uint32_t chain)
{
    struct chain *of = &log->chains[chain];

    if (of->walk == log->walk)
        return of;
    of->walk = log->walk;
    of->place = of->newest;
    of->passed.at = 0;
    return of;
}

/* Walks back by one change. */
static void pass(struct chain *of, const struct step *step)
{
    of->passed = *step;
    of->place = step->previous;
}

const struct step *log_before(struct log *log, uint32_t chain, uint64_t ticks)
{
    struct chain *of = begin(log, chain);
    const struct step *step = log_get(log, chain, of->place);

    for (; step != NULL && step->now.ticks >= ticks; step = log_get(log, chain, of->place))
        pass(of, step);
    return step;
}

const struct step *log_up_to(struct log *log, uint32_t chain, uint64_t number)
{
    struct chain *of = begin(log, chain);
    const struct step *step = log_get(log, chain, of->place);

    for (; step != NULL && step->at > number; step = log_get(log, chain, of->place))
        pass(of, step);
    return step;
}

const struct step *log_passed(const struct log *log, uint32_t chain)
{
    const struct chain *of = &log->chains[chain];

    return of->walk == log->walk && of->passed.at > 0 ? &of->passed : NULL;
}
