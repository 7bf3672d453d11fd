/* SPDX-License-Identifier: MIT */
/* Periods: from the start of a complete job to the start of the next one. */
#include "analysis/analyses.h"

struct period_thread {
    struct spread intervals;
    double mean, squares;  /* of the intervals: their deviation, by Welford's method */
    uint64_t before_ticks; /* start of the job before */
    bool has_before;
};

struct period {
    struct base base;
    struct period_thread *threads;
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct period *period = state;

    period->threads = arena_take(arena, limits->threads, sizeof(*period->threads));
}

static void take_job(void *self, const struct change *change)
{
    struct period *period = self;
    struct period_thread *thread = &period->threads[change->thread];
    const struct moment start = change->job->start;
    double value, from_mean;

    if (thread->has_before) {
        uint64_t interval = start.ticks - thread->before_ticks;

        spread_add(&thread->intervals, period->base.pool, interval, start.seq, start.ticks);
        value = (double)interval;
        from_mean = value - thread->mean;
        thread->mean += from_mean / (double)thread->intervals.samples.n;
        thread->squares += from_mean * (value - thread->mean);
    }
    thread->has_before = true;
    thread->before_ticks = start.ticks;
}

/* No interval spans a gap. */
static void take_gap(void *self, const struct change *change)
{
    struct period *period = self;

    (void)change;
    for (uint32_t i = 0; i < period->base.model->thread_numbers.count; i++)
        period->threads[i].has_before = false;
}

static void open(void *state, struct model *model)
{
    model_tell(model, CHANGE_JOB, (struct change_sink){take_job, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
}

/* Newton's method: the core needs no libm. */
static double square_root(double of)
{
    double root = of > 1 ? of : 1;

    for (int i = 0; i < 64 && of > 0; i++)
        root = (root + of / root) / 2;
    return of > 0 ? root : 0;
}

static void figures(const void *state, struct list *list)
{
    const struct period *period = state;
    const struct model *model = period->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        const struct period_thread *thread = &period->threads[i];
        const struct histogram *samples = &thread->intervals.samples;
        struct heading heading = {.name = "period", .subject = list_thread(model, i)};

        list_spread(list, heading, TXTAP_UNIT_TICKS, &thread->intervals);
        if (samples->n == 0)
            continue;
        heading.name = "jitter";
        list_at_least(list, heading, TXTAP_UNIT_TICKS, (double)(samples->max - samples->min));
        heading.name = "deviation";
        list_mean(list, heading, TXTAP_UNIT_TICKS, square_root(thread->squares / (double)samples->n));
    }
}

const struct analysis_row period_analysis = {
    .section = {"period", "period and jitter of jobs"},
    .any_kernel = true,
    .state_bytes = sizeof(struct period),
    .layout = layout,
    .open = open,
    .figures = figures,
};
