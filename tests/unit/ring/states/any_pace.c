/* SPDX-License-Identifier: MIT */
#include "ring/states/any_pace.h"

#include <stdbool.h>

#include "ring/txtb_pace.h"

/* txtb_pace.c, compiled with these names. */
void real_pace_note(struct txtap_ring_pace *pace, uint64_t entries_read, uint64_t moved);
void real_pace_restart(struct txtap_ring_pace *pace);
uint64_t real_pace_predict(const struct txtap_ring_pace *pace, uint64_t entries_read);
uint64_t real_pace_fit(const struct txtap_ring_pace *pace, uint64_t readable);

/* No real pace has this weight; the answers are in fields that are unused with it. */
#define WEIGHT_OF_ANY (-1.0)

struct txtap_ring_pace any_pace(uint64_t fit, uint64_t predicted)
{
    return (struct txtap_ring_pace){.weight = WEIGHT_OF_ANY, .sum_n = (double)fit, .sum_moved = (double)predicted};
}

static bool is_any(const struct txtap_ring_pace *pace)
{
    return pace->weight < 0;
}

void ring_pace_note(struct txtap_ring_pace *pace, uint64_t entries_read, uint64_t moved)
{
    if (!is_any(pace))
        real_pace_note(pace, entries_read, moved);
}

void ring_pace_restart(struct txtap_ring_pace *pace)
{
    if (!is_any(pace))
        real_pace_restart(pace);
}

uint64_t ring_pace_predict(const struct txtap_ring_pace *pace, uint64_t entries_read)
{
    return is_any(pace) ? (uint64_t)pace->sum_moved : real_pace_predict(pace, entries_read);
}

uint64_t ring_pace_fit(const struct txtap_ring_pace *pace, uint64_t readable)
{
    return is_any(pace) ? (uint64_t)pace->sum_n : real_pace_fit(pace, readable);
}
