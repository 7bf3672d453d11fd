/* SPDX-License-Identifier: MIT */
/* Wake-up latency: from a thread's resumption until the kernel chose it to run. Ready time: all waits for a core, also
 * those after another thread displaced it. */
#include "analysis/analyses.h"

struct wake {
    struct base base;
    struct spread *woken, *ready; /* by thread */
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct wake *wake = state;

    wake->woken = arena_take(arena, limits->threads, sizeof(*wake->woken));
    wake->ready = arena_take(arena, limits->threads, sizeof(*wake->ready));
}

static void take_dispatch(void *self, const struct change *change)
{
    struct wake *wake = self;

    if (!change->known) {
        spread_cut(&wake->ready[change->thread], change->ticks, change->now.seq, change->now.ticks);
        return;
    }
    add_sample(&wake->base, &wake->ready[change->thread], change->ticks, change);
    if (change->woken && !wake->base.model->threads[change->thread].woken_in_init)
        add_sample(&wake->base, &wake->woken[change->thread], change->ticks, change);
}

/* Those that wait for a core now wait at least until now. */
static void take_gap(void *self, const struct change *change)
{
    struct wake *wake = self;
    const struct model *model = wake->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        const struct thread *thread = &model->threads[i];
        uint64_t waited = change->now.ticks - thread->waiting_since;

        if (!thread->waiting)
            continue;
        spread_cut(&wake->ready[i], waited, change->now.seq, change->now.ticks);
        if (thread->waking && !thread->woken_in_init)
            spread_cut(&wake->woken[i], waited, change->now.seq, change->now.ticks);
    }
}

static void open(void *state, struct model *model)
{
    model_tell(model, CHANGE_DISPATCH, (struct change_sink){take_dispatch, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_gap, state});
}

static void figures(const void *state, struct list *list)
{
    const struct wake *wake = state;
    const struct model *model = wake->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        list_spread(list, (struct heading){.name = "wake", .subject = list_thread(model, i)}, TXTAP_UNIT_TICKS,
                    &wake->woken[i]);
        list_spread(list, (struct heading){.name = "ready", .subject = list_thread(model, i)}, TXTAP_UNIT_TICKS,
                    &wake->ready[i]);
    }
}

const struct analysis_row wake_analysis = {
    .section = {"wake", "wake-up latency"},
    .state_bytes = sizeof(struct wake),
    .layout = layout,
    .open = open,
    .figures = figures,
};
