/* SPDX-License-Identifier: MIT */
/* Priorities: each thread's own one, and how often its events had another one, by inheritance or a call. */
#include "analysis/analyses.h"

struct priority {
    struct base base;
    uint64_t *changes; /* by thread */
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct priority *priority = state;

    priority->changes = arena_take(arena, limits->threads, sizeof(*priority->changes));
}

static void take_priority(void *self, const struct change *change)
{
    struct priority *priority = self;

    priority->changes[change->thread]++;
}

static void open(void *state, struct model *model)
{
    model_tell(model, CHANGE_PRIORITY, (struct change_sink){take_priority, state});
}

static void figures(const void *state, struct list *list)
{
    const struct priority *priority = state;
    const struct model *model = priority->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        const struct txtap_subject subject = list_thread(model, i);

        if (model->threads[i].priority_known)
            list_number_exact(list, (struct heading){.name = "priority", .subject = subject}, TXTAP_UNIT_COUNT,
                              model->threads[i].base);
        if (priority->changes[i] > 0)
            list_count(list, (struct heading){.name = "priority_changes", .subject = subject}, priority->changes[i]);
    }
}

const struct analysis_row priority_analysis = {
    .section = {"priorities", "priorities"},
    .state_bytes = sizeof(struct priority),
    .layout = layout,
    .open = open,
    .figures = figures,
};
