/* SPDX-License-Identifier: MIT */
/* Priorities: the own priority of each thread, and how often the thread's events had another priority, inherited or set
 * by a call. Also lists calls that change a preemption threshold. */
#include "analysis/analyses.h"

#include <math.h>

#include "txtap/registry.h"

struct priority {
    struct base base;
    uint64_t *changes, *thresholds; /* index: thread */
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct priority *priority = state;

    priority->changes = arena_take(arena, limits->threads, sizeof(*priority->changes));
    priority->thresholds = arena_take(arena, limits->threads, sizeof(*priority->thresholds));
}

static void take_priority(void *self, const struct change *change)
{
    struct priority *priority = self;

    priority->changes[change->thread]++;
}

static void take_call(void *self, const struct change *change)
{
    struct priority *priority = self;
    uint32_t thread;

    if (change->service->id != EVENT_THREAD_PREEMPTION_CHANGE)
        return;
    thread = model_thread_find(priority->base.model, change->service->info[0]);
    if (thread != NONE)
        priority->thresholds[thread]++;
}

static void open(void *state, struct model *model)
{
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_THREAD, (struct change_sink){take_call, state});
    model_tell(model, CHANGE_PRIORITY, (struct change_sink){take_priority, state});
}

/* Returns the thread's own priority with its bounds. After a gap the own priority is unknown until an event confirms
 * it. */
static struct txtap_measure own_priority(const struct thread *thread)
{
    return (struct txtap_measure){true, thread->base, thread_base_least(thread),
                                  thread->base_doubtful ? (double)INFINITY : thread->base};
}

static void figures(const void *state, struct list *list)
{
    const struct priority *priority = state;
    const struct model *model = priority->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        const struct txtap_subject subject = list_thread(model, i);

        if (model->threads[i].priority_known)
            list_between(list, (struct heading){.id = TXTAP_FIGURE_PRIORITY, .subject = subject}, TXTAP_UNIT_COUNT,
                         own_priority(&model->threads[i]), (struct txtap_place){0});
        if (priority->changes[i] > 0)
            list_count(list, (struct heading){.id = TXTAP_FIGURE_PRIORITY_CHANGES, .subject = subject},
                       priority->changes[i]);
        if (priority->thresholds[i] > 0)
            list_count(list, (struct heading){.id = TXTAP_FIGURE_THRESHOLD_CHANGES, .subject = subject},
                       priority->thresholds[i]);
    }
}

static const struct check_name names[] = {
    FIGURE(PRIORITY, "priority", CHECK_COUNT, VALUE, THREAD),
    FIGURE(PRIORITY_CHANGES, "priority_changes", CHECK_COUNT, N, THREAD),
    FIGURE(THRESHOLD_CHANGES, "threshold_changes", CHECK_COUNT, N, THREAD),
    {0},
};

const struct analysis_row priority_analysis = {
    .section = {"priorities", "of threads, and changes of them"},
    .names = names,
    .state_bytes = sizeof(struct priority),
    .layout = layout,
    .open = open,
    .figures = figures,
};
