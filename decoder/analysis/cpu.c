/* SPDX-License-Identifier: MIT */
/* CPU share: how long each thread ran on the cores. The model counts the ticks. The shares of all threads, interrupts,
 * the initialization and idle add up to the observed time of all cores. */
#include "analysis/analyses.h"

#include "base/min_max.h"

struct cpu {
    struct base base;
};

static void open_cpu(void *state, struct model *model)
{
    (void)state;
    (void)model;
}

static uint64_t thread_ran(const struct model *model, const struct thread *thread)
{
    return thread->spent[ACCOUNT_RUNNING] +
           (thread->account == ACCOUNT_RUNNING ? model->last.ticks - thread->account_since : 0);
}

/* Adds `unknown` to the ticks that may belong to the share. unknown: ticks in which the activity of a core is
 * unknown. */
static struct doubt and_unknown(struct doubt doubt, uint64_t unknown)
{
    return (struct doubt){doubt.less, doubt.more + unknown};
}

/*
 * Returns the uncertain ticks of a thread's share. With several cores, the thread may have run whenever the activity of
 * a core is uncertain, except while the thread waited.
 */
static struct doubt doubt_of(const struct model *model, uint32_t number, uint64_t unknown)
{
    const struct thread *thread = &model->threads[number];
    struct doubt doubt = and_unknown(core_thread_doubt(model, number), unknown);
    uint64_t most = thread_not_blocked(model, thread) + thread->lingered +
                    (thread->lingers ? model->last.ticks - thread->account_since : 0);

    if (model_is_vague(model))
        doubt.more = min_u64(doubt.more, most - thread_ran(model, thread));
    return doubt;
}

static void figures(const void *state, struct list *list)
{
    const struct model *model = ((const struct cpu *)state)->base.model;
    const struct txtap_subject system = list_system();
    uint64_t idle = core_ran(model, RUNNING_IDLE), init = core_ran(model, RUNNING_INIT),
             isr = core_ran(model, RUNNING_ISR);
    uint64_t threads = core_ran(model, RUNNING_THREAD);
    uint64_t anything = core_doubt(model, RUNNING_UNKNOWN).more;
    uint64_t unknown = model->core_count * model_observed(model) - idle - init - isr - threads + anything;
    uint64_t of_cores = unknown + model_hidden_cores(model);
    struct doubt asleep = core_doubt(model, RUNNING_IDLE), busy = {asleep.more + anything, asleep.less};

    list_share(list, (struct heading){TXTAP_FIGURE_LOAD, system, system, NULL}, TXTAP_FIGURE_LOAD_TICKS,
               isr + init + threads, and_unknown(busy, of_cores));
    list_share(list, (struct heading){TXTAP_FIGURE_IDLE, system, system, NULL}, TXTAP_FIGURE_IDLE_TICKS, idle,
               and_unknown(asleep, of_cores));
    if (!model->interrupts_recorded && !model->other_kernel)
        list_not_recorded(list, (struct heading){TXTAP_FIGURE_INTERRUPTS, system, system, NULL});
    else if (!model->interrupts_open && (!model->other_kernel || isr > 0))
        list_share(list, (struct heading){TXTAP_FIGURE_INTERRUPTS, system, system, NULL}, TXTAP_FIGURE_INTERRUPTS_TICKS,
                   isr, and_unknown(core_doubt(model, RUNNING_ISR), of_cores));
    if (!model->other_kernel)
        list_share(list, (struct heading){TXTAP_FIGURE_INIT, system, system, NULL}, TXTAP_FIGURE_INIT_TICKS, init,
                   and_unknown(core_doubt(model, RUNNING_INIT), of_cores));
    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        list_share(list, (struct heading){TXTAP_FIGURE_CPU, list_thread(model, i), system, NULL},
                   TXTAP_FIGURE_CPU_TICKS, thread_ran(model, &model->threads[i]), doubt_of(model, i, unknown));
}

static const struct check_name names[] = {
    FIGURE(CPU, "cpu", CHECK_SHARE, VALUE, THREAD),
    FIGURE(CPU_TICKS, "cpu_ticks", CHECK_TIME, VALUE, THREAD),
    FIGURE(LOAD, "load", CHECK_SHARE, VALUE, SYSTEM),
    FIGURE(IDLE, "idle", CHECK_SHARE, VALUE, SYSTEM),
    FIGURE(INTERRUPTS, "interrupts", CHECK_SHARE, VALUE, SYSTEM),
    FIGURE(INIT, "init", CHECK_SHARE, VALUE, SYSTEM),
    FIGURE(LOAD_TICKS, "load_ticks", CHECK_TIME, VALUE, SYSTEM),
    FIGURE(IDLE_TICKS, "idle_ticks", CHECK_TIME, VALUE, SYSTEM),
    FIGURE(INTERRUPTS_TICKS, "interrupts_ticks", CHECK_TIME, VALUE, SYSTEM),
    FIGURE(INIT_TICKS, "init_ticks", CHECK_TIME, VALUE, SYSTEM),
    {0},
};

const struct analysis_row cpu_analysis = {
    .section = {"cpu", "CPU share"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct cpu),
    .open = open_cpu,
    .figures = figures,
};
