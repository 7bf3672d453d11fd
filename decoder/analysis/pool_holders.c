/* SPDX-License-Identifier: MIT */
/* What each thread allocated and nobody released. */
#include "analysis/pool_holders.h"

#include <math.h>

void pool_holders_layout(struct pool_holders *holders, struct arena *arena, uint32_t pairs)
{
    table_layout(&holders->pairs, arena, pairs);
    holders->of = arena_take(arena, pairs, sizeof(*holders->of));
}

void pool_holders_count(struct pool_holders *holders, uint32_t pool, uint32_t thread, int step, uint32_t bytes)
{
    bool added;
    uint32_t pair = table_add(&holders->pairs, table_pair(pool, thread), &added);

    if (pair == NONE) {
        holders->left_out++;
    } else if (step > 0) {
        holders->of[pair].count++;
        holders->of[pair].bytes += bytes;
    } else {
        holders->of[pair].count--;
        holders->of[pair].bytes -= bytes;
    }
}

/* Gaps hide allocations and releases. */
static struct txtap_measure held(const struct list *list, uint64_t value)
{
    bool gaps = model_has_gaps(list->model);

    return (struct txtap_measure){true, (double)value, gaps ? 0 : (double)value,
                                  gaps ? (double)INFINITY : (double)value};
}

void pool_holders_list(const struct pool_holders *holders, struct list *list)
{
    for (uint32_t i = 0; i < holders->pairs.count; i++) {
        const struct holding *of = &holders->of[i];
        struct heading heading = {.name = "held",
                                  .subject = list_object(list->model, (uint32_t)(holders->pairs.keys[i] >> 32)),
                                  .other = list_thread(list->model, (uint32_t)holders->pairs.keys[i])};

        list_between(list, heading, TXTAP_UNIT_COUNT, held(list, of->count), (struct txtap_place){0});
        heading.name = "held_bytes";
        if (of->bytes > 0)
            list_between(list, heading, TXTAP_UNIT_BYTES, held(list, of->bytes), (struct txtap_place){0});
    }
}
