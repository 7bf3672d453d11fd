/* SPDX-License-Identifier: MIT */
/* Periods of jobs. The first kind lasts from the resumption that starts a job to the resumption that starts the next
 * job. The second kind lasts from the moment at which the kernel first chose the thread in a job to the same moment in
 * the next job. */
#include "analysis/analyses.h"

/* A series of moments of one kind. */
struct series {
    struct spread intervals;
    double mean, squares; /* mean and sum of squared deviations of the intervals, by Welford's method */
    uint64_t before;      /* tick of the preceding moment */
    bool has_before;
};

struct period_thread {
    struct series starts, dispatches;
    struct moment chosen; /* moment at which the kernel first chose the thread in the open job */
    bool has_chosen;      /* chosen is valid */
    struct vague unsure;  /* several cores: samples whose start or end is unknown */
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

static void add_moment(const struct base *base, struct series *series, struct moment moment)
{
    double value, from_mean;

    if (series->has_before) {
        uint64_t interval = moment.ticks - series->before;

        add_sample_at(base, &series->intervals, interval, moment);
        value = (double)interval;
        from_mean = value - series->mean;
        series->mean += from_mean / (double)series->intervals.samples.n;
        series->squares += from_mean * (value - series->mean);
    }
    series->has_before = true;
    series->before = moment.ticks;
}

static void take_dispatch(void *self, const struct change *change)
{
    struct period *period = self;
    const struct job *job = &period->base.model->threads[change->thread].job;
    struct period_thread *thread = &period->threads[change->thread];

    if (!job->open || job->turns != 1)
        return;
    if (change->vague) { /* the kernel may have chosen the thread earlier, so the interval is unknown */
        thread->unsure.perhaps = thread->unsure.high_max = UINT64_MAX;
        return;
    }
    thread->chosen = change->now;
    thread->has_chosen = true;
}

static void take_job(void *self, const struct change *change)
{
    struct period *period = self;
    struct period_thread *thread = &period->threads[change->thread];

    add_moment(&period->base, &thread->starts, change->job->start);
    if (thread->has_chosen)
        add_moment(&period->base, &thread->dispatches, thread->chosen);
    else
        thread->dispatches.has_before = false; /* another thread suspended this thread before this thread ran */
    thread->has_chosen = false;
}

/* Ends the open intervals, because no interval includes a gap. */
static void take_gap(void *self, const struct change *change)
{
    struct period *period = self;

    (void)change;
    for (uint32_t i = 0; i < period->base.model->thread_numbers.count; i++) {
        struct period_thread *thread = &period->threads[i];

        thread->starts.has_before = thread->dispatches.has_before = thread->has_chosen = false;
    }
}

static void take_several(void *self, const struct change *change)
{
    struct period *period = self;

    (void)change;
    for (uint32_t i = 0; i < period->base.model->thread_numbers.count; i++)
        if (period->threads[i].dispatches.intervals.samples.n > 0 || period->threads[i].has_chosen)
            period->threads[i].unsure.perhaps = period->threads[i].unsure.high_max = UINT64_MAX;
}

static void open(void *state, struct model *model)
{
    model_tell(model, CHANGE_SEVERAL, (struct change_sink){take_several, state});
    model_tell(model, CHANGE_DISPATCH, (struct change_sink){take_dispatch, state});
    model_tell(model, CHANGE_JOB, (struct change_sink){take_job, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
}

/* Computes the square root by Newton's method, because the decoder does not use libm. */
static double square_root(double of)
{
    double root = of > 1 ? of : 1;

    for (int i = 0; i < 64 && of > 0; i++)
        root = (root + of / root) / 2;
    return of > 0 ? root : 0;
}

/* Lists the figures of a series. ids: the ids for the intervals, for their jitter, and for their deviation. */
static void list_series(struct list *list, struct txtap_subject subject, const enum txtap_figure_id ids[3],
                        const struct series *series, const struct vague *unsure)
{
    const struct histogram *samples = &series->intervals.samples;

    list_spread_vague(list, (struct heading){.id = ids[0], .subject = subject}, TXTAP_UNIT_TICKS, &series->intervals,
                      unsure);
    if (samples->n == 0 || (unsure->perhaps > 0 && model_is_vague(list->model)))
        return;
    list_at_least(list, (struct heading){.id = ids[1], .subject = subject}, TXTAP_UNIT_TICKS,
                  (double)(samples->max - samples->min));
    list_mean(list, (struct heading){.id = ids[2], .subject = subject}, TXTAP_UNIT_TICKS,
              square_root(series->squares / (double)samples->n));
}

static void figures(const void *state, struct list *list)
{
    static const enum txtap_figure_id of_starts[] = {TXTAP_FIGURE_PERIOD, TXTAP_FIGURE_JITTER, TXTAP_FIGURE_DEVIATION};
    static const enum txtap_figure_id of_dispatches[] = {TXTAP_FIGURE_DISPATCH_PERIOD, TXTAP_FIGURE_DISPATCH_JITTER,
                                                         TXTAP_FIGURE_DISPATCH_DEVIATION};
    static const struct vague sure = {0};
    const struct period *period = state;
    const struct model *model = period->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        list_series(list, list_thread(model, i), of_starts, &period->threads[i].starts, &sure);
        list_series(list, list_thread(model, i), of_dispatches, &period->threads[i].dispatches,
                    &period->threads[i].unsure);
    }
}

static const struct check_name names[] = {
    FIGURE(PERIOD, "period", CHECK_TIME, VALUE, THREAD),
    FIGURE(JITTER, "jitter", CHECK_TIME, VALUE, THREAD),
    FIGURE(DEVIATION, "deviation", CHECK_TIME, VALUE, THREAD),
    FIGURE(DISPATCH_PERIOD, "dispatch_period", CHECK_TIME, VALUE, THREAD),
    FIGURE(DISPATCH_JITTER, "dispatch_jitter", CHECK_TIME, VALUE, THREAD),
    FIGURE(DISPATCH_DEVIATION, "dispatch_deviation", CHECK_TIME, VALUE, THREAD),
    {0},
};

const struct analysis_row period_analysis = {
    .section = {"period", "period and jitter of jobs"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct period),
    .layout = layout,
    .open = open,
    .figures = figures,
};
