/* SPDX-License-Identifier: MIT */
/* The schedule of faults, by time and by seed. */
#include "fault_plan.h"

/* Returns a random number (splitmix64, which works equally well with every seed). */
static uint64_t draw(struct fault_plan *plan)
{
    uint64_t value = plan->random += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}

static int64_t draw_between(struct fault_plan *plan, int64_t min, int64_t max)
{
    return min + (int64_t)(draw(plan) % (uint64_t)(max - min + 1));
}

/* Kinds are dealt like cards: each kind occurs once before a kind occurs again. */
static enum fault_kind draw_kind(struct fault_plan *plan)
{
    if (plan->deck_left == 0)
        for (int i = 0; i < FAULT_KINDS; i++)
            if (plan->options->chosen[i])
                plan->deck[plan->deck_left++] = (enum fault_kind)i;
    size_t at = (size_t)(draw(plan) % plan->deck_left);
    enum fault_kind kind = plan->deck[at];
    plan->deck[at] = plan->deck[--plan->deck_left];
    return kind;
}

static void deal(struct fault_plan *plan, int64_t after_us)
{
    int64_t every_us = plan->options->every_us;
    enum fault_kind kind = draw_kind(plan);
    struct fault_range range = fault_random_range(kind);
    plan->dealt = fault_default(kind);
    plan->dealt.time_us = after_us + draw_between(plan, every_us / 2, every_us + every_us / 2);
    plan->dealt.duration_us = draw_between(plan, range.min_us, range.max_us);
    if (range.or_moment && (draw(plan) & 1))
        plan->dealt.duration_us = 0;
    plan->dealt.slow_ms = (uint32_t)draw_between(plan, 1, 100);
    plan->dealt.path = kind == FAULT_REFLASH ? plan->options->reflash_path : NULL;
}

void fault_plan_init(struct fault_plan *plan, const struct fault_options *options)
{
    *plan = (struct fault_plan){.options = options, .random = options->seed};
    if (options->seeded)
        deal(plan, 0);
}

bool fault_plan_take(struct fault_plan *plan, int64_t now_us, bool (*may_begin)(void *self, enum fault_kind kind),
                     void *self, struct fault *fault, bool *by_seed)
{
    const struct fault_options *options = plan->options;
    size_t first = options->planned_count;
    for (size_t i = 0; i < options->planned_count; i++) {
        const struct fault *planned = &options->planned[i];
        if (!plan->taken[i] && planned->time_us <= now_us && may_begin(self, planned->kind) &&
            (first == options->planned_count || planned->time_us < options->planned[first].time_us))
            first = i;
    }
    *by_seed = first == options->planned_count;
    if (!*by_seed) {
        *fault = options->planned[first];
        plan->taken[first] = true;
        return true;
    }
    if (!options->seeded || plan->dealt.time_us > now_us || !may_begin(self, plan->dealt.kind))
        return false;
    *fault = plan->dealt;
    deal(plan, now_us); /* counts from now: after a fault that had to wait, no burst follows */
    return true;
}

int64_t fault_plan_next_us(const struct fault_plan *plan, int64_t now_us)
{
    int64_t next_us = INT64_MAX;
    for (size_t i = 0; i < plan->options->planned_count; i++) {
        int64_t time_us = plan->options->planned[i].time_us;
        if (!plan->taken[i] && time_us > now_us && time_us < next_us)
            next_us = time_us;
    }
    if (plan->options->seeded && plan->dealt.time_us > now_us && plan->dealt.time_us < next_us)
        next_us = plan->dealt.time_us;
    return next_us;
}
