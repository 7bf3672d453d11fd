/* SPDX-License-Identifier: MIT */
/* Jobs: what a thread does from a resumption to its next suspension. How long it ran, how long it took, and what
 * delayed it. A wait for a mutex does not end a job, unless the options say so. */
#include "analysis/analyses.h"

enum part { PART_RUN, PART_RESPONSE, PART_READY, PART_INTERRUPTED, PART_MUTEX, PART_TURNS, PARTS };

struct jobs {
    struct base base;
    struct spread (*parts)[PARTS]; /* by thread */
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct jobs *jobs = state;

    jobs->parts = arena_take(arena, limits->threads, sizeof(*jobs->parts));
}

static void take_job(void *self, const struct change *change)
{
    struct jobs *jobs = self;
    struct spread *parts = jobs->parts[change->thread];
    const uint64_t *spent = change->job->spent;

    add_sample(&jobs->base, &parts[PART_RUN], spent[ACCOUNT_RUNNING], change);
    add_sample(&jobs->base, &parts[PART_RESPONSE], change->ticks, change);
    add_sample(&jobs->base, &parts[PART_READY], spent[ACCOUNT_READY], change);
    add_sample(&jobs->base, &parts[PART_INTERRUPTED], spent[ACCOUNT_INTERRUPTED], change);
    add_sample(&jobs->base, &parts[PART_MUTEX], spent[ACCOUNT_BLOCKED + REASON_MUTEX], change);
    add_sample(&jobs->base, &parts[PART_TURNS], change->job->turns, change);
}

static void take_gap(void *self, const struct change *change)
{
    struct jobs *jobs = self;
    const struct model *model = jobs->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        const struct thread *thread = &model->threads[i];

        if (!thread->job.open)
            continue;
        spread_cut(&jobs->parts[i][PART_RUN], thread_ran_in_job(thread, change->now.ticks), change->now.seq,
                   change->now.ticks);
        spread_cut(&jobs->parts[i][PART_RESPONSE], change->now.ticks - thread->job.start.ticks, change->now.seq,
                   change->now.ticks);
    }
}

static void open(void *state, struct model *model)
{
    model_tell(model, CHANGE_JOB, (struct change_sink){take_job, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_gap, state});
}

static void figures(const void *state, struct list *list)
{
    static const struct {
        const char *name;
        enum txtap_unit unit;
    } kinds[PARTS] = {
        [PART_RUN] = {"run", TXTAP_UNIT_TICKS},
        [PART_RESPONSE] = {"response", TXTAP_UNIT_TICKS},
        [PART_READY] = {"response_ready", TXTAP_UNIT_TICKS},
        [PART_INTERRUPTED] = {"response_interrupted", TXTAP_UNIT_TICKS},
        [PART_MUTEX] = {"response_mutex", TXTAP_UNIT_TICKS},
        [PART_TURNS] = {"turns", TXTAP_UNIT_COUNT},
    };
    const struct jobs *jobs = state;
    const struct model *model = jobs->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        for (unsigned part = 0; part < PARTS; part++)
            list_spread(list, (struct heading){.name = kinds[part].name, .subject = list_thread(model, i)},
                        kinds[part].unit, &jobs->parts[i][part]);
}

const struct analysis_row jobs_analysis = {
    .section = {"jobs", "run time and response time of jobs"},
    .any_kernel = true,
    .state_bytes = sizeof(struct jobs),
    .layout = layout,
    .open = open,
    .figures = figures,
};
