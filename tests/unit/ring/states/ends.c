/* SPDX-License-Identifier: MIT */
/*
 * Tests two rules in every state, on copies of it. If the stream ends here, the reader must deliver all held entries
 * and report all events that it knows to be unread as lost. If the writer rests here, the reader must deliver
 * everything in the ring, whatever pace it has learned.
 */
#include "ring/states/exploration.h"

#include <stdio.h>

#include "ring/states/any_pace.h"
#include "ring/txtb_pace.h"

#define EXCHANGES_AT_REST 40

/* ---- the end of a stream ---- */

static const char *finish(struct exploration *x)
{
    struct fixture fixture = x->before;
    struct hearing hearing = {.configuration = x->configuration, .at = fixture.at, .at_end = true};
    uint64_t held = txtap_ring_held(&fixture.ring), unread = txtap_ring_unread(&fixture.ring);
    bool reported = fixture.oracle.reported;
    struct txtap_ring_batch batch;

    txtap_ring_finish(&fixture.ring, fixture.inside.head, &batch);
    hearing.laps_known = x->configuration->counts_laps;
    hearing.seq_base = fixture.inside.seq_base;
    oracle_hear(&fixture.oracle, &hearing, &batch);
    if (hearing.contradicts)
        return hearing.contradicts;
    if (batch.held_count != held)
        return "what is held back is not delivered at the end";
    if (batch.lost > unread || (reported && batch.lost != unread))
        return "what was not read is not reported at the end";
    return NULL;
}

/* ---- rest ---- */

/* Returns one of two paces: 0: nothing is known about the writer; 1: the writer has the highest possible pace. */
static struct ring_pace some_pace(unsigned which, unsigned slots)
{
    struct ring_pace pace = {0};
    struct ring_pace_exchange exchange = {.reads = {2, 8 * slots, 1, 1}, .moved = 4ull * slots};

    for (unsigned i = 0; which > 0 && i < 5; i++) {
        exchange.begin_us = exchange.end_us + 1;
        exchange.end_us += 100;
        ring_pace_note(&pace, &exchange);
    }
    return pace;
}

static bool is_drained(const struct fixture *fixture)
{
    return txtap_ring_held(&fixture->ring) == 0 && txtap_ring_unread(&fixture->ring) == 0;
}

/* Returns the violation, or NULL, after the reader has read everything that it can. */
static const char *judge_rest(const struct fixture *fixture)
{
    const struct configuration *c = fixture->configuration;
    int32_t written = writer_published(fixture->at);
    bool has_more = c->from != TXTAP_RING_FROM_NOW ? written > 0
                    : c->counts_laps               ? written > fixture->oracle.wanted
                                                   : (int64_t)fixture->inside.head > fixture->oracle.wanted_position;

    if (!is_drained(fixture))
        return "a resting ring is not drained";
    if (fixture->oracle.anything)
        return fixture->oracle.last == written - 1 ? NULL : "the newest event of a resting ring is never delivered";
    return has_more ? "nothing of a resting ring is ever delivered" : NULL;
}

/* Returns true if the buffer still belongs to the old trace. */
static bool is_old(const struct fixture *fixture)
{
    return fixture->at.again < 0 || writer_is_elsewhere(fixture->configuration, fixture->at);
}

/*
 * Makes exchanges with x->before until the ring is drained. Returns a violation or NULL. print: print the exchanges,
 * as the last steps to a violation.
 */
static const char *drain(struct exploration *x, bool print)
{
    struct fixture after;
    struct txtap_ring_batch batch;
    const char *wrong = NULL;
    bool moved = false;

    x->plan_us = NOW_US;
    for (unsigned i = 0; i < EXCHANGES_AT_REST && !wrong && !moved; i++) {
        x->plan_us += i % 2 ? NEVER_CLOSE_US : RESTED_WRITER_US;
        x->commit_us = x->plan_us;
        if (x->configuration->any_buffer)
            x->before.inside.buffer_entries = 1 + (uint32_t)txtap_ring_held(&x->before.ring);
        exchange_plan(x);
        exchange_read_at_once(x, x->before.at);
        wrong = exchange_take(x, &after, x->before.at, &batch, &moved);
        if (print && i < 6)
            print_exchange(x, &after, &batch);
        if (!wrong && !moved)
            x->before = after;
        if (is_old(&x->before) && !judge_rest(&x->before))
            break;
    }
    if (wrong || moved)
        return wrong;
    return is_old(&x->before) ? judge_rest(&x->before) : "a trace that was set up again goes unnoticed";
}

/*
 * Lets the writer finish its event and rest. If the new trace's pointer is at the ring's start, one more event is
 * written: otherwise the reader could not notice the new trace.
 */
static struct moment at_rest(const struct configuration *c, struct moment at)
{
    int32_t slots = (int32_t)c->slots - (c->again == AGAIN_SMALLER);

    at = writer_at_rest(at);
    do
        at.set_up += writer_sets_up(c, at);
    while (writer_sets_up(c, at) && !writer_is_elsewhere(c, at));
    if (at.again >= 0 && at.again / STORES_AN_EVENT % slots == 0)
        at.again += STORES_AN_EVENT;
    return at;
}

static void begin_rest(struct exploration *x, const struct state *state, unsigned pace)
{
    state_unpack(&x->before, state, &x->template);
    x->before.at = at_rest(x->configuration, x->before.at);
    x->before.inside.pace = some_pace(pace, x->configuration->slots);
}

void explore_ends(struct exploration *x, const struct state *state)
{
    const char *wrong = finish(x);

    if (wrong && search_violated(&x->search, wrong))
        printf("  the stream ends here\n");
    for (unsigned pace = 0; pace < 2 && !search_is_over(&x->search); pace++) {
        begin_rest(x, state, pace);
        wrong = drain(x, false);
        if (!wrong || !search_violated(&x->search, wrong))
            continue;
        printf("  the writer rests:\n");
        begin_rest(x, state, pace);
        drain(x, true);
    }
}
