/* SPDX-License-Identifier: MIT */
/*
 * A stream may end in any state: then everything known to be unread must be reported as lost. And the target may rest
 * in any state: then everything in the ring must be delivered, with nothing missing at the end. Both are tried on
 * copies.
 */
#include "ring/logger_states/exploration.h"

#include <stdio.h>

#define EXCHANGES_AT_REST 24

static const char *finish(struct exploration *x, bool rested)
{
    struct fixture fixture;
    struct hearing hearing = {.contradicts = NULL};

    fixture_copy(&fixture, &x->before);
    txtap_logger_finish(&fixture.ring, fixture.ring.sampled ? fixture.ring.head.position : 0);
    if (exchange_hear(x, &fixture, &hearing))
        return hearing.contradicts;
    if (fixture.ring.sampled && txtap_logger_unread(&fixture.ring) > 0)
        return "what was not read is not reported at the end";
    oracle_end(&fixture.oracle, &hearing, rested);
    return hearing.contradicts;
}

/* What is wrong once nothing more is delivered? */
static const char *judge_rest(struct exploration *x)
{
    const struct fixture *fixture = &x->before;

    if (fixture->at.again)
        return "a restart of the logger goes unnoticed";
    if (!fixture->ring.sampled)
        return "a resting ring is never accepted";
    if (txtap_logger_unread(&fixture->ring) > 0)
        return "a resting ring is not drained";
    return finish(x, true);
}

/* The fixture is x->before. print: while showing the way to a violation. */
static const char *drain(struct exploration *x, bool print)
{
    struct fixture after;
    const char *wrong = NULL;

    x->before.at = writer_at_rest(x->configuration, &x->before.at);
    x->plan_us = NOW_US;
    for (unsigned i = 0; i < EXCHANGES_AT_REST && !wrong; i++) {
        bool moved;

        x->plan_us += i % 2 ? NEVER_CLOSE_US : 60000;
        x->commit_us = x->plan_us;
        exchange_plan(x);
        exchange_read_at_once(x, &x->before.at);
        wrong = exchange_take(x, &after, &x->before.at, &moved);
        if (print && i < 8)
            print_exchange(x, &after);
        if (moved)
            return NULL;
        fixture_copy(&x->before, &after);
        if (i > 4 && !wrong && !judge_rest(x))
            return NULL;
    }
    return wrong ? wrong : judge_rest(x);
}

static void begin(struct exploration *x, const struct state *state)
{
    state_unpack(&x->before, state, &x->template);
    x->before.ring.copy = x->before.copy;
}

void explore_ends(struct exploration *x, const struct state *state)
{
    const char *wrong = finish(x, false);

    if (wrong && search_violated(&x->search, wrong))
        printf("  the stream ends here\n");
    if (search_is_over(&x->search))
        return;
    begin(x, state);
    wrong = drain(x, false);
    if (!wrong || !search_violated(&x->search, wrong))
        return;
    printf("  the target rests:\n");
    begin(x, state);
    drain(x, true);
}
