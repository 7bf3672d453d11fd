/* SPDX-License-Identifier: MIT */
/* Prints the way to a violation. */
#include "ring/logger_states/exploration.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_target(const struct moment *at)
{
    static const char *const work[] = {"", ", putting", ", dropping", ", starting"};

    printf(" [W=%" PRIu32 "%s", at->number - (at->at_work == PUTTING || at->at_work == DROPPING), work[at->at_work]);
    if (at->at_work != AT_REST)
        printf("+%u", at->stores);
    printf(" %" PRIu32 "..%" PRIu32 "%s]", at->head, at->tail, at->again ? " again" : "");
}

static void print_word(const struct exploration *x, size_t i)
{
    static const char *const names[] = {"", "head", "tail", "dropped"};
    static const char *const totals[] = {"words", "all_dropped", "events"};
    struct place place = x->words[i].place;
    uint32_t value = writer_value(x->configuration, &x->read_at[i], place), number, length;

    if (place.kind == PLACE_ITEM && writer_number(value, &number, &length))
        printf(" %" PRIu32 ":e%" PRIu32 ".%" PRIu32, place.index, number, value % 16);
    else if (place.kind == PLACE_ITEM)
        printf(" %" PRIu32 ":%" PRIx32, place.index, value);
    else if (place.kind == PLACE_TOTALS)
        printf(" %s=%" PRId32, totals[place.index], (int32_t)value);
    else if (place.kind != PLACE_CONSTANT && place.kind != PLACE_BUFFER)
        printf(" %s=%" PRIu32, names[place.kind], value);
}

static void print_reader(const struct txtap_logger_ring *ring)
{
    printf("    reader: next %" PRIu64 ", confirmed %" PRIu64 ", read %" PRIu64 ", head %" PRIu64 ", words %" PRId32
           ", dropped %" PRIu32 ", reported %" PRIu64 ", seq %" PRIu64 "%s%s%s%s%s%s%s",
           ring->next, ring->confirmed.position, ring->read.position, ring->head.position, (int32_t)ring->words_at_head,
           ring->dropped, ring->reported, ring->seq, ring->sampled ? ", sampled" : "", ring->ready ? ", ready" : "",
           ring->based ? ", based" : "", ring->missed ? ", missed" : "", ring->inexact ? ", inexact" : "",
           ring->agreed ? ", agreed" : "", ring->skip_drops ? ", skip drops" : "");
    if (ring->head.events_known)
        printf(", %" PRId64 " events", (int64_t)ring->head.events);
    if (ring->place.totals == 0)
        printf(", guard %" PRIu64 "+%" PRIu32 "%s", ring->guard, ring->guard_count, ring->gone_us ? " gone" : "");
    printf("\n");
}

void print_attach(const struct search *search, const void *state)
{
    const struct exploration *x = (const struct exploration *)search;
    struct fixture fixture;

    state_unpack(&fixture, state, &x->template);
    printf("  attached:");
    print_target(&fixture.at);
    printf("\n");
}

static void print_said(const struct exploration *x)
{
    for (size_t i = 0; i < x->said_count; i++)
        if (x->said[i].lost > 0)
            printf(" lost %" PRIu64 "%s", x->said[i].lost, x->said[i].exact ? "" : "+");
        else
            printf(" #%" PRIu64 "=e%" PRIu32, x->said[i].seq, x->said[i].number);
}

void print_exchange(const struct exploration *x, const struct fixture *after)
{
    printf("  exchange %" PRIu64 " us later, of %" PRIu64 " us: words %" PRIu64 "..%" PRIu64 "%s\n    read:",
           x->plan_us - NOW_US, x->commit_us - x->plan_us, x->plan.first, x->plan.end,
           x->plan.first_guard ? ", the first guard" : "");
    for (size_t i = 0; i < x->word_count; i++) {
        if (i == 0 || memcmp(&x->read_at[i], &x->read_at[i - 1], sizeof *x->read_at) != 0)
            print_target(&x->read_at[i]);
        print_word(x, i);
    }
    printf("\n    said:");
    print_said(x);
    printf("\n");
    print_reader(&after->ring);
}

void print_figures(const struct search *search)
{
    const struct exploration *x = (const struct exploration *)search;

    printf("%" PRIu64 " plans, %" PRIu64 " interleavings, %" PRIu64 " too far ahead", x->exchanges, x->interleavings,
           x->pruned);
}
