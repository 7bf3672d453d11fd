/* SPDX-License-Identifier: MIT */
/* The states in which a reader may begin: any number of events is already written, the header is read at any moment. */
#include "ring/states/exploration.h"

#include <string.h>

static const struct word laps_word = {.kind = WORD_LAPS};
static const struct word pointer_word = {.kind = WORD_POINTER};
static const struct word beside_word = {.kind = WORD_BESIDE};
static const struct word half_laps_word = {.kind = WORD_HALF_LAPS};

/*
 * Returns false if the reader must not begin at the trace's start: the header counts no laps, but the last slot was
 * already written, so the ring may have wrapped.
 */
static bool can_be_wanted(const struct configuration *c, const struct txtap_header *header, struct moment at)
{
    struct word last = {.kind = WORD_ENTRY, .slot = c->slots - 1};
    int event;

    return c->from != TXTAP_RING_FROM_START || c->counts_half_laps || header->laps > 0 ||
           writer_value(c, &last, at, &event) == 0;
}

static void attach(struct exploration *x, const struct txtap_header *header,
                   const struct txtap_ring_half_laps *half_laps, struct moment at)
{
    const struct configuration *c = x->configuration;
    struct fixture fixture = {.configuration = c, .at = at};
    struct oracle *oracle = &fixture.oracle;
    int32_t published = writer_published(at), slots = (int32_t)c->slots;
    bool count_wrapped = published / slots > UINT16_MAX && !c->counts_half_laps;
    struct state state;

    txtap_ring_init(&fixture.ring, &(struct txtap_ring_config){header, TARGET_BASE, x->buffer, TXTAP_RING_BUFFER_MIN,
                                                               c->from, *half_laps, 0});
    oracle->wanted = published;
    oracle->wanted_position = (int32_t)fixture.inside.head_at_attach;
    oracle->may_say_least = !c->counts_laps || (count_wrapped && header->laps == 0);
    oracle->based = c->from == TXTAP_RING_FROM_START && !(c->counts_laps && count_wrapped);
    /* If the reader attaches before the last lap is counted, it may begin up to a lap earlier. */
    if (c->from == TXTAP_RING_FROM_NOW &&
        (!c->counts_laps || (int32_t)fixture.inside.head_at_attach >= published + slots))
        oracle->not_before = published;
    state_pack(&state, &fixture, NOW_US);
    search_begin_at(&x->search, &state);
}

/* Attaches to a recorder that counts half-laps. Its words beside the header are read after the header. */
static void attach_by_half_laps(struct exploration *x, const struct txtap_header *header, struct moment at,
                                int32_t limit)
{
    const struct configuration *c = x->configuration;
    int event;

    for (struct moment pointer_at = at; pointer_at.stores <= limit; writer_next(c, &beside_word, &pointer_at))
        for (struct moment count_at = pointer_at; count_at.stores <= limit;
             writer_next(c, &half_laps_word, &count_at)) {
            struct txtap_ring_half_laps words = {.address = HALF_LAPS_AT, .life = FIRST_LIFE};

            words.current = writer_value(c, &beside_word, pointer_at, &event);
            words.half_laps = writer_value(c, &half_laps_word, count_at, &event);
            attach(x, header, &words, count_at);
        }
}

/* Attaches with the header. Its laps are read first, then its pointer. The writer may move between the two reads. */
static void attach_after(struct exploration *x, struct moment at)
{
    const struct configuration *c = x->configuration;
    int32_t limit = at.stores + (int32_t)c->events * STORES_AN_EVENT;

    for (struct moment laps_at = at; laps_at.stores <= limit;) {
        for (struct moment pointer_at = laps_at; pointer_at.stores <= limit;
             writer_next(c, &pointer_word, &pointer_at)) {
            struct txtap_header header = x->template.header;
            int event;

            header.laps = (uint16_t)writer_value(c, &laps_word, laps_at, &event);
            header.current = writer_value(c, &pointer_word, pointer_at, &event);
            if (!can_be_wanted(c, &header, pointer_at))
                continue;
            if (c->counts_half_laps)
                attach_by_half_laps(x, &header, pointer_at, limit);
            else
                attach(x, &header, &(struct txtap_ring_half_laps){0}, pointer_at);
        }
        if (!writer_next(c, &laps_word, &laps_at))
            return;
    }
}

void explore_attaches(struct search *search, unsigned configuration)
{
    struct exploration *x = (struct exploration *)search;
    const struct configuration *c = &configurations[configuration];
    struct txtap_header header = writer_header(c);
    struct txtap_ring ring;

    *x = (struct exploration){.search = x->search, .configuration = c};
    txtap_ring_init(
        &ring, &(struct txtap_ring_config){&header, TARGET_BASE, x->buffer, TXTAP_RING_BUFFER_MIN, c->from, {0}, 0});
    x->template = *ring_inside(&ring);
    x->before.configuration = c;
    for (unsigned written = 0; written <= c->written; written++)
        attach_after(x, (struct moment){.stores = (int32_t)((c->laps_before * c->slots + written) * STORES_AN_EVENT),
                                        .again = -1});
}
