/* SPDX-License-Identifier: MIT */
/* Chooses the cause of a span from its groups of pieces. */
#include "why/parts.h"

#include "base/min_max.h"

static bool shows_no_cause(const struct piece *group)
{
    return group->state == TXTAP_WHY_UNKNOWN || group->state == TXTAP_WHY_GAP || group->state == TXTAP_WHY_VARIOUS;
}

/* Returns true if the thread itself ran: the span took long, but nothing delayed the thread. */
static bool is_own_run(const struct piece *group)
{
    return group->link_count == 0 && group->state == TXTAP_WHY_RAN;
}

/* Returns true if both groups delay the thread for the same reason: it waits for the same object, or it is in the same
 * state for the same thread or interrupt. */
static bool same_reason(const struct piece *a, const struct piece *b)
{
    if ((a->link_count > 0) != (b->link_count > 0))
        return false;
    if (a->link_count > 0)
        return a->links[0].object == b->links[0].object && a->links[0].reason == b->links[0].reason;
    return a->state == b->state && a->by.kind == b->by.kind && a->by.number == b->by.number && a->object == b->object &&
           a->reason == b->reason;
}

static uint64_t ticks_of_reason(const struct cut *cut, const struct piece *group)
{
    uint64_t ticks = 0;

    for (uint32_t i = 0; i < cut->group_count; i++)
        if (!cut->groups[i].before && same_reason(&cut->groups[i], group))
            ticks += cut->groups[i].ticks;
    return ticks;
}

/* A delay is the cause if it takes at least this part of the span. Otherwise the thread's own run is the cause. */
#define DELAY_PARTS 10u

const struct piece *cut_main(const struct cut *cut, uint64_t *ticks, uint64_t *unknown)
{
    uint64_t total = cut->span.end.ticks - cut->span.start.ticks, most = 0, hidden = 0;
    const struct piece *main = NULL, *run = NULL, *blank = NULL; /* blank: the largest group that shows no cause */

    *unknown = cut->groups[GROUPS].before ? 0 : cut->groups[GROUPS].ticks;
    for (uint32_t i = 0; i < cut->group_count; i++) {
        const struct piece *group = &cut->groups[i];
        uint64_t of = group->before ? 0 : ticks_of_reason(cut, group);

        if (group->before)
            continue;
        if (shows_no_cause(group)) {
            *unknown += group->ticks;
            blank = of > hidden ? group : blank;
            hidden = max_u64(hidden, of);
        } else if (is_own_run(group)) {
            run = group;
        } else if (of > most || (of == most && main != NULL && group->ticks > main->ticks)) {
            main = group;
            most = of;
        }
    }
    if (run != NULL && (main == NULL || most < total / DELAY_PARTS)) {
        main = run;
        most = run->ticks;
    }
    if (hidden > most) {
        main = blank;
        most = hidden;
    }
    *ticks = most;
    return main;
}

static bool is_less(const struct piece *a, const struct piece *b)
{
    return a->before != b->before ? b->before : a->ticks < b->ticks;
}

void cut_sort(struct cut *cut)
{
    for (uint32_t i = 1; i < cut->group_count; i++) {
        struct piece piece = cut->groups[i];
        uint32_t k = i;

        for (; k > 0 && is_less(&cut->groups[k - 1], &piece); k--)
            cut->groups[k] = cut->groups[k - 1];
        cut->groups[k] = piece;
    }
}
