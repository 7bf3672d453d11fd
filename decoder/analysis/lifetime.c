/* SPDX-License-Identifier: MIT */
/* How long threads lived that were created in the trace. A life ends when the thread completes or is terminated. */
#include "analysis/analyses.h"

#include "txtap/registry.h"

struct life {
    bool open;
    uint64_t since; /* tick of the thread's creation */
    struct spread all;
};

struct lifetimes {
    struct base base;
    struct life *of; /* index: thread */
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct lifetimes *lifetimes = state;

    lifetimes->of = arena_take(arena, limits->threads, sizeof(*lifetimes->of));
}

static void end(struct lifetimes *lifetimes, uint32_t thread, const struct change *change)
{
    struct life *life = &lifetimes->of[thread];

    if (life->open)
        add_sample(&lifetimes->base, &life->all, change->now.ticks - life->since, change);
    life->open = false;
}

static void take_call(void *self, const struct change *change)
{
    struct lifetimes *lifetimes = self;
    uint32_t id = change->service->id, thread;

    if (id != EVENT_THREAD_CREATE && id != EVENT_THREAD_TERMINATE)
        return;
    thread = model_thread_find(lifetimes->base.model, change->service->info[0]);
    if (thread == NONE)
        return;
    if (id == EVENT_THREAD_TERMINATE) {
        end(lifetimes, thread, change);
        return;
    }
    lifetimes->of[thread].open = true;
    lifetimes->of[thread].since = change->now.ticks;
}

static void take_blocked(void *self, const struct change *change)
{
    struct lifetimes *lifetimes = self;
    uint32_t reason = lifetimes->base.model->threads[change->thread].reason;

    if (reason == REASON_COMPLETED || reason == REASON_TERMINATED)
        end(lifetimes, change->thread, change);
}

/* Cuts the lives of threads that still exist. Each life lasts at least until now. */
static void take_gap(void *self, const struct change *change)
{
    struct lifetimes *lifetimes = self;

    for (uint32_t i = 0; i < lifetimes->base.model->thread_numbers.count; i++) {
        struct life *life = &lifetimes->of[i];

        if (life->open)
            cut_sample(&lifetimes->base, &life->all, change->now.ticks - life->since, change);
        life->open = false;
    }
}

static void open(void *state, struct model *model)
{
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_THREAD, (struct change_sink){take_call, state});
    model_tell(model, CHANGE_BLOCKED, (struct change_sink){take_blocked, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_gap, state});
}

static void figures(const void *state, struct list *list)
{
    const struct lifetimes *lifetimes = state;
    const struct model *model = lifetimes->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        list_spread_open(list, (struct heading){.id = TXTAP_FIGURE_LIFE, .subject = list_thread(model, i)},
                         TXTAP_UNIT_TICKS, &lifetimes->of[i].all);
}

static const struct check_name names[] = {
    FIGURE(LIFE, "life", CHECK_TIME, VALUE, THREAD),
    {0},
};

const struct analysis_row lifetime_analysis = {
    .section = {"lifetimes", "threads from creation to their end"},
    .names = names,
    .state_bytes = sizeof(struct lifetimes),
    .layout = layout,
    .open = open,
    .figures = figures,
};
