/* SPDX-License-Identifier: MIT */
/* Prints the steps to a violation. */
#include "ring/states/exploration.h"

#include <inttypes.h>
#include <stdio.h>

static void print_writer(struct moment at)
{
    printf(" [W=%" PRId32 "+%" PRId32, at.stores / STORES_AN_EVENT, at.stores % STORES_AN_EVENT);
    if (at.again >= 0)
        printf(", again: %" PRId32 "+%" PRId32, at.again / STORES_AN_EVENT, at.again % STORES_AN_EVENT);
    if (at.set_up > 0)
        printf(", step %" PRId32, at.set_up);
    printf("]");
}

static void print_word(const struct exploration *x, size_t i)
{
    const struct word *word = &x->words[i];

    switch (word->kind) {
    case WORD_LAPS:
        printf(" laps=%d", x->read[i]);
        return;
    case WORD_RING_END:
        printf(" slots=%d", x->read[i]);
        return;
    case WORD_HALF_LAPS:
        printf(" half_laps=%d", x->read[i]);
        return;
    case WORD_LIFE:
        printf(" life=%d", x->read[i]);
        return;
    case WORD_BESIDE:
        printf(" beside=%d", x->read[i]);
        return;
    case WORD_POINTER:
        printf(" current=%d", x->read[i]);
        return;
    case WORD_ENTRY:
        printf(x->read[i] < 0 ? " s%u.%u=empty" : " s%u.%u=e%d", word->slot, word->index, x->read[i]);
    }
}

static void print_reader(const struct ring_inside *ring)
{
    static const char *const laps[] = {"unknown", "counted", "none"};

    printf("    reader: head %" PRIu64 ", next %" PRIu64 ", read_end %" PRIu64 ", laps %s %" PRIu64 "%s%s%s%s%s\n",
           ring->head, ring->next, ring->read_end, laps[ring->laps_state], ring->laps, ring->started ? ", started" : "",
           ring->not_wrapped_yet ? ", not wrapped" : "", ring->guard_gone ? ", guard gone" : "",
           ring->overtaken ? ", overtaken" : "", ring->inexact ? ", inexact" : "");
}

void print_attach(const struct search *search, const void *state)
{
    const struct exploration *x = (const struct exploration *)search;
    struct fixture fixture;

    state_unpack(&fixture, state, &x->template);
    printf("  attached:");
    print_writer(fixture.at);
    printf("\n");
    print_reader(&fixture.inside);
}

void print_exchange(const struct exploration *x, const struct fixture *after, const struct txtap_ring_batch *batch)
{
    printf("  exchange %" PRIu64 " us later, of %" PRIu64 " us: entries %" PRIu64 "..%" PRIu64 "%s%s\n    read:",
           x->plan_us - NOW_US, x->commit_us - x->plan_us, x->plan.first, x->plan.end,
           x->plan.recover ? ", a recovery" : "", x->plan.guard ? ", with the guard" : "");
    for (size_t i = 0; i < x->word_count; i++) {
        const struct moment *at = &x->read_at[i];

        if (i == 0 || at->stores != at[-1].stores || at->again != at[-1].again || at->set_up != at[-1].set_up)
            print_writer(*at);
        print_word(x, i);
    }
    printf("\n    said: held %zu, lost %" PRIu64 "%s, %zu from number %" PRIu64 "\n", batch->held_count, batch->lost,
           batch->lost > 0 && !batch->exact ? "+" : "", batch->count, batch->seq);
    print_reader(&after->inside);
}

void print_lowered(unsigned laps)
{
    if (laps > 0)
        printf("  (from here on all numbers are %u laps less)\n", laps);
}
