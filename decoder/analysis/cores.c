/* SPDX-License-Identifier: MIT */
/* Several cores: what each core ran, how many cores were busy at the same time, and how often threads moved to another
 * core. */
#include "analysis/analyses.h"

#include "base/min_max.h"

#define PARALLEL_MAX 32u

struct cores {
    struct base base;
    uint64_t parallel[PARALLEL_MAX + 1]; /* parallel[n]: ticks in which exactly n cores were busy */
    uint32_t *last;                      /* index: thread; 1 + the thread's last core; 0: the thread has not run */
    uint64_t *moves;                     /* index: thread */
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct cores *cores = state;

    cores->last = arena_take(arena, limits->threads, sizeof(*cores->last));
    cores->moves = arena_take(arena, limits->threads, sizeof(*cores->moves));
}

static uint32_t busy_cores(const struct model *model)
{
    uint32_t busy = 0;

    for (uint32_t i = 0; i < model->core_count; i++)
        busy += model->cores[i].running > RUNNING_IDLE;
    return busy;
}

/* Counts the time since the last event. No core has changed its activity since then. */
static void take_event(void *self, const struct change *change)
{
    struct cores *cores = self;
    const struct model *model = cores->base.model;

    if (model->events > 1 && change->now.ticks > model->known_from)
        cores->parallel[min_u64(busy_cores(model), PARALLEL_MAX)] += change->now.ticks - model->last.ticks;
}

static void take_running(void *self, const struct change *change)
{
    struct cores *cores = self;
    uint32_t *last;

    if (change->thread == NONE)
        return;
    last = &cores->last[change->thread];
    cores->moves[change->thread] += *last != 0 && *last != change->core + 1u;
    *last = change->core + 1;
}

static void open(void *state, struct model *model)
{
    model_tell(model, CHANGE_PARALLEL, (struct change_sink){take_event, state});
    model_tell(model, CHANGE_RUNNING, (struct change_sink){take_running, state});
}

/* Returns the ticks in which a core may have been idle instead of busy, or busy instead of idle. */
static uint64_t doubtful(struct doubt idle)
{
    return idle.less + idle.more;
}

static uint64_t spent(const struct model *model, const struct core *core, enum running what)
{
    return core->spent[what] + (core->seen && core->running == what ? model->last.ticks - core->running_since : 0);
}

/* Returns the ticks in which the core's activity is unknown, including the ticks before the core's first event. */
static uint64_t unknown_of(const struct model *model, const struct core *core)
{
    return model_observed(model) - spent(model, core, RUNNING_IDLE) - spent(model, core, RUNNING_INIT) -
           spent(model, core, RUNNING_ISR) - spent(model, core, RUNNING_THREAD);
}

static void figures(const void *state, struct list *list)
{
    const struct cores *cores = state;
    const struct model *model = cores->base.model;

    uint64_t doubt = doubtful(core_doubt(model, RUNNING_IDLE)) + core_doubt(model, RUNNING_UNKNOWN).more;

    doubt += core_ran(model, RUNNING_UNKNOWN) + model_unseen(model);
    if (model->core_count < 2)
        return;
    for (uint32_t i = 0; i < model->core_count; i++) {
        const struct core *core = &model->cores[i];
        const struct txtap_subject subject = list_number(TXTAP_SUBJECT_CORE, i);
        struct doubt idle = core_own_doubt(model, core, RUNNING_IDLE);
        uint64_t anything = core_own_doubt(model, core, RUNNING_UNKNOWN).more;
        uint64_t unknown = unknown_of(model, core) + anything;

        list_share(
            list, (struct heading){.id = TXTAP_FIGURE_CORE_BUSY, .subject = subject}, TXTAP_FIGURE_CORE_BUSY_TICKS,
            spent(model, core, RUNNING_THREAD) + spent(model, core, RUNNING_ISR) + spent(model, core, RUNNING_INIT),
            (struct doubt){idle.more + anything, idle.less + unknown});
        list_share(list, (struct heading){.id = TXTAP_FIGURE_CORE_IDLE, .subject = subject},
                   TXTAP_FIGURE_CORE_IDLE_TICKS, spent(model, core, RUNNING_IDLE),
                   (struct doubt){idle.less, idle.more + unknown});
    }
    for (uint32_t i = 0; i <= min_u64(model->core_count, PARALLEL_MAX); i++)
        list_share(list, (struct heading){.id = TXTAP_FIGURE_CORES_BUSY, .subject = list_number(TXTAP_SUBJECT_CORE, i)},
                   TXTAP_FIGURE_CORES_BUSY_TICKS, cores->parallel[i], (struct doubt){doubt, doubt});
    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        if (cores->last[i] != 0)
            list_count_vague(list, (struct heading){.id = TXTAP_FIGURE_MOVES, .subject = list_thread(model, i)},
                             cores->moves[i], 0);
}

static const struct check_name names[] = {
    FIGURE(CORE_BUSY, "core_busy", CHECK_SHARE, VALUE, CORE),
    FIGURE(CORE_IDLE, "core_idle", CHECK_SHARE, VALUE, CORE),
    FIGURE(CORES_BUSY, "cores_busy", CHECK_SHARE, VALUE, CORE),
    FIGURE(CORE_BUSY_TICKS, "core_busy_ticks", CHECK_TIME, VALUE, CORE),
    FIGURE(CORE_IDLE_TICKS, "core_idle_ticks", CHECK_TIME, VALUE, CORE),
    FIGURE(CORES_BUSY_TICKS, "cores_busy_ticks", CHECK_TIME, VALUE, CORE),
    FIGURE(MOVES, "moves", CHECK_COUNT, N, THREAD),
    {0},
};

const struct analysis_row cores_analysis = {
    .section = {"cores", "several cores"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct cores),
    .layout = layout,
    .open = open,
    .figures = figures,
};
