/* SPDX-License-Identifier: MIT */
/*
 * Compares the starts of jobs with the periods that the user gives. The figures show how far each interval is from the
 * period, which jobs are missing, and how far the starts are from a grid with this period. The start of the grid does
 * not matter: lateness is the difference between the latest and the earliest start, relative to the grid.
 */
#include <math.h>

#include "analysis/analyses.h"
#include "base/min_max.h"
#include "figures/named.h"

struct nominal_thread {
    bool resolved;       /* the period was looked up, with or without a match */
    uint64_t period;     /* ticks of the first matching pattern; 0: no pattern matches */
    struct spread error; /* differences between intervals and the period */
    uint64_t missed, extra;

    /* Each gap resets the following members, up to latest. */
    bool has_before;
    uint64_t before;          /* tick at which the last job started */
    int64_t phase;            /* start of the last job relative to its grid point, in ticks; the grid begins at the
                                 first job */
    int64_t earliest, latest; /* smallest and largest phase */

    int64_t drift;  /* sum over all intervals: interval minus its grid steps, in ticks */
    uint64_t steps; /* number of grid steps in all stretches */
    uint64_t lateness;
    struct moment lateness_at;
};

struct nominal {
    struct base base;
    struct nominal_thread *threads;
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct nominal *nominal = state;

    nominal->threads = arena_take(arena, limits->threads, sizeof(*nominal->threads));
}

/* Returns the period that the options give for the thread; 0: no period. */
static uint64_t period_of(const struct nominal *nominal, uint32_t number, const char *name)
{
    const struct txtap_analysis_options *options = nominal->base.options;
    const char *own = model_thread_name(nominal->base.model, number);

    for (uint32_t i = 0; i < options->period_count; i++)
        if (is_named(options->periods[i].thread, nominal->base.model->threads[number].address,
                     own != NULL ? own : name))
            return options->periods[i].ticks;
    return 0;
}

static void resolve(struct nominal *nominal, uint32_t number, const char *name)
{
    struct nominal_thread *thread = &nominal->threads[number];

    if (thread->period == 0)
        thread->period = period_of(nominal, number, name);
    thread->resolved = true;
}

/* Returns true if the period was found for another thread at the same address. */
static bool has_wrong_period(const struct nominal *nominal, uint32_t number)
{
    return model_thread_name(nominal->base.model, number) != NULL &&
           period_of(nominal, number, "") != nominal->threads[number].period;
}

static void learn(void *state, const struct txtap_object *object)
{
    struct nominal *nominal = state;
    uint32_t number = model_thread_find(nominal->base.model, object->pointer);

    if (object->type == TXTAP_OBJECT_THREAD && number != NONE)
        resolve(nominal, number, object->name);
}

/* ---- changes ---- */

static uint64_t distance(uint64_t a, uint64_t b)
{
    return max_u64(a, b) - min_u64(a, b);
}

static void add_interval(struct nominal *nominal, struct nominal_thread *thread, struct moment start)
{
    uint64_t interval = start.ticks - thread->before, steps = interval / thread->period;
    struct spread *error = &thread->error;

    if (interval % thread->period > thread->period / 2)
        steps++; /* rounds to the nearest grid point */
    add_sample_at(&nominal->base, error, distance(interval, thread->period), start);
    thread->missed += steps > 1 ? steps - 1 : 0;
    thread->extra += steps == 0;
    thread->steps += steps;
    thread->drift += (int64_t)(interval - steps * thread->period);
    thread->phase += (int64_t)(interval - steps * thread->period);
    if (thread->phase < thread->earliest)
        thread->earliest = thread->phase;
    if (thread->phase > thread->latest)
        thread->latest = thread->phase;
    if ((uint64_t)(thread->latest - thread->earliest) > thread->lateness) {
        thread->lateness = (uint64_t)(thread->latest - thread->earliest);
        thread->lateness_at = start;
    }
}

static void take_job(void *self, const struct change *change)
{
    struct nominal *nominal = self;
    struct nominal_thread *thread = &nominal->threads[change->thread];

    if (!thread->resolved)
        resolve(nominal, change->thread, "");
    if (thread->period == 0)
        return;
    if (thread->has_before)
        add_interval(nominal, thread, change->job->start);
    thread->has_before = true;
    thread->before = change->job->start.ticks;
}

/* Ends the open intervals, because no interval includes a gap. After a gap a new grid begins. */
static void take_gap(void *self, const struct change *change)
{
    struct nominal *nominal = self;

    (void)change;
    for (uint32_t i = 0; i < nominal->base.model->thread_numbers.count; i++) {
        nominal->threads[i].has_before = false;
        nominal->threads[i].phase = nominal->threads[i].earliest = nominal->threads[i].latest = 0;
    }
}

static void open(void *state, struct model *model)
{
    const struct nominal *nominal = state;

    if (nominal->base.options->period_count == 0)
        return;
    model_tell(model, CHANGE_JOB, (struct change_sink){take_job, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
}

/* Lists the drift. Unlike other means, the drift may be negative. */
static void list_drift(struct list *list, struct txtap_subject subject, double drift)
{
    bool gaps = model_has_gaps(list->model);
    struct txtap_measure measure = {true, drift, gaps ? -(double)INFINITY : drift, gaps ? (double)INFINITY : drift};

    list_between(list, (struct heading){.id = TXTAP_FIGURE_DRIFT, .subject = subject}, TXTAP_UNIT_TICKS, measure,
                 (struct txtap_place){0});
}

static void figures(const void *state, struct list *list)
{
    const struct nominal *nominal = state;
    const struct model *model = nominal->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        const struct nominal_thread *thread = &nominal->threads[i];
        const struct txtap_subject subject = list_thread(model, i);

        if (thread->period == 0 || has_wrong_period(nominal, i))
            continue;
        list_number_exact(list, (struct heading){.id = TXTAP_FIGURE_NOMINAL, .subject = subject}, TXTAP_UNIT_TICKS,
                          (double)thread->period);
        if (thread->error.samples.n == 0)
            continue;
        list_spread(list, (struct heading){.id = TXTAP_FIGURE_PERIOD_ERROR, .subject = subject}, TXTAP_UNIT_TICKS,
                    &thread->error);
        list_at_least_at(list, (struct heading){.id = TXTAP_FIGURE_LATENESS, .subject = subject}, TXTAP_UNIT_TICKS,
                         (double)thread->lateness, thread->lateness_at);
        if (thread->steps > 0)
            list_drift(list, subject, (double)thread->drift / (double)thread->steps);
        list_count(list, (struct heading){.id = TXTAP_FIGURE_MISSED, .subject = subject}, thread->missed);
        list_count(list, (struct heading){.id = TXTAP_FIGURE_EXTRA, .subject = subject}, thread->extra);
    }
}

static const struct check_name names[] = {
    FIGURE(NOMINAL, "nominal", CHECK_TIME, VALUE, THREAD),
    FIGURE(PERIOD_ERROR, "period_error", CHECK_TIME, VALUE, THREAD),
    FIGURE(LATENESS, "lateness", CHECK_TIME, VALUE, THREAD),
    FIGURE(DRIFT, "drift", CHECK_TIME, VALUE, THREAD),
    FIGURE(MISSED, "missed", CHECK_COUNT, N, THREAD),
    FIGURE(EXTRA, "extra", CHECK_COUNT, N, THREAD),
    {0},
};

const struct analysis_row nominal_analysis = {
    .section = {"nominal", "periods against given ones"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct nominal),
    .layout = layout,
    .open = open,
    .learn = learn,
    .figures = figures,
};
