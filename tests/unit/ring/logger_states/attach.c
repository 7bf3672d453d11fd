/* SPDX-License-Identifier: MIT */
/* The states in which a reader may begin: any number of events put, dropped, collected. */
#include "ring/logger_states/exploration.h"

#include <assert.h>
#include <string.h>

static void init_template(struct exploration *x)
{
    const struct configuration *c = x->configuration;
    struct txtap_logger_place place = {
        .endian = TXTAP_LITTLE,
        .ring = TARGET_RING,
        .buffer = TARGET_BUFFER,
        .size = c->size,
        .totals = c->counts == COUNTS_NOTHING ? 0 : TARGET_TOTALS,
        .counts_events = c->counts == COUNTS_EVENTS,
    };

    assert(c->size <= RING_WORDS_MAX && c->copy_rings <= 2);
    txtap_logger_init(&x->template, &(struct txtap_logger_config){&place, x->before.copy,
                                                                  c->size * (c->copy_rings ? c->copy_rings : 1), x->raw,
                                                                  RING_WORDS_MAX, c->from});
    if (c->read_words)
        x->template.read_words = c->read_words;
}

static void attach(struct exploration *x, const struct moment *at)
{
    struct fixture fixture = {.configuration = x->configuration, .at = *at, .ring = x->template};
    struct state state;

    fixture.ring.copy = fixture.copy;
    if (x->configuration->from == TXTAP_RING_FROM_START && x->configuration->counts != COUNTS_NOTHING)
        fixture.oracle.attached = 1; /* everything is wanted from the first event on */
    state_pack(&state, &fixture, NOW_US);
    search_begin_at(&x->search, &state);
}

/* The target is at rest; the first exchange begins at any later moment. */
void explore_attaches(struct search *search, unsigned configuration)
{
    struct exploration *x = (struct exploration *)search;
    const struct configuration *c = &configurations[configuration];
    struct configuration before = *c;
    struct moment begin = writer_begin();

    *x = (struct exploration){.search = x->search, .configuration = c, .paths = x->paths};
    before.events = c->written;
    before.again_words = 0;
    init_template(x);
    x->before.configuration = c;
    paths_from(&x->paths, &before, &begin);
    for (uint32_t i = 0; i < x->paths.moments.count; i++)
        if (paths_moment(&x->paths, i)->at_work == AT_REST)
            attach(x, paths_moment(&x->paths, i));
}
