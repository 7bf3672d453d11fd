/* SPDX-License-Identifier: MIT */
#include "ring/states/any_pace.h"

#include <stdbool.h>

#include "ring/txtb_pace.h"

/* The functions of txtb_choice.c and txtb_pace.c, which are compiled with other names. */
struct ring_pace_choice real_pace_choose(const struct ring_pace *pace, const struct ring_pace_question *question);
void real_pace_note(struct ring_pace *pace, const struct ring_pace_exchange *exchange);
void real_pace_gone(struct ring_pace *pace, uint64_t entries);
void real_pace_restart(struct ring_pace *pace);

/* A cost that no real pace has. It marks a pace of any_pace(), which stores the given answers in its sums. */
#define COST_OF_ANY (-1.0)

struct ring_pace any_pace(unsigned left_out, unsigned read, unsigned evidence)
{
    return (struct ring_pace){.piece_us = COST_OF_ANY, .sums = {{{(double)left_out, (double)read, (double)evidence}}}};
}

static bool is_any(const struct ring_pace *pace)
{
    return pace->piece_us < 0;
}

void ring_pace_note(struct ring_pace *pace, const struct ring_pace_exchange *exchange)
{
    if (!is_any(pace))
        real_pace_note(pace, exchange);
}

void ring_pace_gone(struct ring_pace *pace, uint64_t entries)
{
    if (!is_any(pace))
        real_pace_gone(pace, entries);
}

void ring_pace_restart(struct ring_pace *pace)
{
    if (!is_any(pace))
        real_pace_restart(pace);
}

struct ring_pace_choice ring_pace_choose(const struct ring_pace *pace, const struct ring_pace_question *question)
{
    uint64_t first = question->oldest + (uint64_t)pace->sums[0][0][0];
    unsigned evidence = (unsigned)pace->sums[0][0][2];

    if (!is_any(pace))
        return real_pace_choose(pace, question);
    return (struct ring_pace_choice){.first = first,
                                     .end = first + (uint64_t)pace->sums[0][0][1],
                                     .recover = evidence & 1,
                                     .again = evidence >> 1 & 1,
                                     .presume = evidence >> 2 & 1};
}
