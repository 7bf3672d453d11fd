/* SPDX-License-Identifier: MIT */
/*
 * Jobs. A job is the activity of a thread from a resumption to its next suspension. This analysis computes how long the
 * job took, how long the thread ran in it, and what delayed the job. It also computes the time from the interrupt that
 * caused the job to the end of the job. A wait for a mutex does not end a job, unless the options say so.
 */
#include "analysis/analyses.h"

#include <math.h>

#include "base/min_max.h"

enum part { PART_RUN, PART_RESPONSE, PART_READY, PART_INTERRUPTED, PART_MUTEX, PART_TURNS, PARTS };

/* The interrupt that caused a job. The interrupt resumed the job's thread directly, or resumed another thread whose job
 * then resumed the job's thread. */
struct origin {
    bool known;
    uint64_t job;       /* seq of the event that starts the job */
    uint32_t interrupt; /* number of the interrupt; NONE: unknown */
    uint64_t start;     /* tick of the interrupt's enter event; if not recorded: tick of the interrupt's first
                           resumption */
};

/* The longest job of a thread. */
struct longest {
    uint64_t ticks;
    uint64_t parts[PARTS]; /* RUN, READY, INTERRUPTED and MUTEX are valid */
    struct moment end;     /* end of the job; if it is still open, the last event */
    bool open;             /* the job had not ended at a gap, or at the end of the trace */
    bool vague;            /* it is uncertain when the thread ran */
};

struct jobs {
    struct base base;
    struct longest *longest;       /* index: thread */
    struct spread (*parts)[PARTS]; /* index: thread */
    struct vague (*vague)[PARTS];
    struct origin *origins; /* index: thread; the origin of the thread's last job */
    struct table pairs;     /* keys: thread and interrupt */
    struct spread *paths;   /* index: pair; time from the interrupt to the end of the job */
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct jobs *jobs = state;

    jobs->longest = arena_take(arena, limits->threads, sizeof(*jobs->longest));
    jobs->parts = arena_take(arena, limits->threads, sizeof(*jobs->parts));
    jobs->vague = arena_take(arena, limits->threads, sizeof(*jobs->vague));
    jobs->origins = arena_take(arena, limits->threads, sizeof(*jobs->origins));
    table_layout(&jobs->pairs, arena, limits->pairs);
    jobs->paths = arena_take(arena, limits->pairs, sizeof(*jobs->paths));
}

/* ---- paths ---- */

/* Returns the origin of the thread's open job. NULL: unknown. */
static const struct origin *origin_of(const struct jobs *jobs, uint32_t thread)
{
    const struct origin *origin = &jobs->origins[thread];
    const struct job *job = &jobs->base.model->threads[thread].job;

    return origin->known && job->open && origin->job == job->start.seq ? origin : NULL;
}

static uint64_t entered(const struct core *core, uint64_t now)
{
    return core->depth > 0 && core->depth <= ISR_DEPTH_MAX ? core->isr[core->depth - 1].start.ticks : now;
}

/* Notes the origin of the job that this resumption may start. */
static void take_ready(void *self, const struct change *change)
{
    struct jobs *jobs = self;
    const struct model *model = jobs->base.model;
    const struct waker *waker = change->waker;
    const struct origin *before = NULL;
    struct origin origin = {.job = change->now.seq, .interrupt = waker->number};

    if (model->threads[change->thread].job.open) /* the job continues */
        return;
    if (waker->kind == RUNNING_THREAD && waker->number != NONE)
        before = origin_of(jobs, waker->number);
    if (waker->kind == RUNNING_ISR) {
        origin.known = true;
        origin.start = entered(&model->cores[change->core], change->now.ticks);
    } else if (before != NULL) {
        origin.known = true;
        origin.interrupt = before->interrupt;
        origin.start = before->start;
    }
    jobs->origins[change->thread] = origin;
}

/* Returns the samples for the pair of thread and interrupt; NULL: no room. */
static struct spread *path(struct jobs *jobs, uint32_t thread, const struct origin *origin)
{
    bool added;
    uint32_t pair = table_add(&jobs->pairs, table_pair(thread, origin->interrupt), &added);

    if (pair != NONE)
        return &jobs->paths[pair];
    jobs->base.left_out++;
    return NULL;
}

static void end_path(struct jobs *jobs, const struct change *change)
{
    const struct origin *origin = &jobs->origins[change->thread];
    struct spread *samples;

    if (!origin->known || origin->job != change->job->start.seq)
        return;
    samples = path(jobs, change->thread, origin);
    if (samples != NULL)
        add_sample(&jobs->base, samples, change->now.ticks - origin->start, change);
}

static void cut_path(struct jobs *jobs, uint32_t thread, const struct change *change)
{
    const struct origin *origin = origin_of(jobs, thread);
    struct spread *samples = origin != NULL ? path(jobs, thread, origin) : NULL;

    if (samples != NULL)
        cut_sample(&jobs->base, samples, change->now.ticks - origin->start, change);
}

/* ---- jobs ---- */

/* Gives a part of a job to the sink of samples. The sample starts and ends with the job. */
static void tell_part(const struct jobs *jobs, enum part part, uint64_t value, const struct change *change)
{
    tell_sample(&jobs->base, &(struct sample){.spread = &jobs->parts[change->thread][part],
                                              .value = value,
                                              .start = change->job->start,
                                              .end = change->now,
                                              .vague = change->vague,
                                              .spent = change->job->spent});
}

static void add_part(struct jobs *jobs, enum part part, uint64_t value, const struct change *change)
{
    spread_add(&jobs->parts[change->thread][part], jobs->base.pool, value, change->now.seq, change->now.ticks);
    tell_part(jobs, part, value, change);
}

static void add_bounded(struct jobs *jobs, enum part part, uint64_t value, uint64_t less, uint64_t more,
                        const struct change *change)
{
    const uint64_t bounds[2] = {value - min_u64(less, value), value + more};

    spread_add_vague(&jobs->parts[change->thread][part], &jobs->vague[change->thread][part], jobs->base.pool, bounds,
                     value, change->now.seq, change->now.ticks);
    tell_part(jobs, part, value, change);
}

/* Adds the bounds of a job's parts. With several cores, the thread may have run while it seemed ready, or been ready
 * while it seemed to run. In time of unknown activity, the thread may have run or been ready. */
static void add_vague(struct jobs *jobs, const struct change *change)
{
    const uint64_t *spent = change->job->spent;
    uint64_t unknown = spent[ACCOUNT_UNKNOWN], hidden = 0;

    add_bounded(jobs, PART_RUN, spent[ACCOUNT_RUNNING], change->job->less, spent[ACCOUNT_READY] + unknown, change);
    add_bounded(jobs, PART_READY, spent[ACCOUNT_READY], spent[ACCOUNT_READY], change->job->less + unknown, change);
    if (jobs->base.model->gaps > 0) /* after a gap, a core's interrupts do not count until a thread runs on the core */
        hidden = spent[ACCOUNT_READY] + change->job->less;
    add_bounded(jobs, PART_INTERRUPTED, spent[ACCOUNT_INTERRUPTED], 0, hidden + unknown, change);
    add_bounded(jobs, PART_TURNS, change->job->turns, 0, UINT64_MAX - change->job->turns, change);
}

/* Keeps a job if it is the longest of its thread. spent: the ticks of the job in each account. */
static void note_longest(struct jobs *jobs, uint32_t thread, struct longest job, const uint64_t spent[ACCOUNTS])
{
    struct longest *longest = &jobs->longest[thread];

    if (job.ticks < longest->ticks || (job.ticks == longest->ticks && longest->end.seq > 0))
        return;
    *longest = job;
    longest->parts[PART_RUN] = spent[ACCOUNT_RUNNING];
    longest->parts[PART_READY] = spent[ACCOUNT_READY];
    longest->parts[PART_INTERRUPTED] = spent[ACCOUNT_INTERRUPTED];
    longest->parts[PART_MUTEX] = spent[ACCOUNT_BLOCKED + REASON_MUTEX];
}

/* Keeps an open job that is the longest of its thread so far. */
static void note_open(struct jobs *jobs, uint32_t number, struct moment now)
{
    const struct thread *thread = &jobs->base.model->threads[number];
    uint64_t spent[ACCOUNTS];

    for (unsigned i = 0; i < ACCOUNTS; i++)
        spent[i] = thread->spent[i] - thread->job.spent[i];
    spent[thread->account] += now.ticks - thread->account_since;
    note_longest(jobs, number,
                 (struct longest){
                     .ticks = now.ticks - thread->job.start.ticks,
                     .end = now,
                     .open = true,
                     .vague = cores_are_vague(jobs->base.model, number, thread->job.doubted, thread->job.start.ticks)},
                 spent);
}

static void take_job(void *self, const struct change *change)
{
    struct jobs *jobs = self;
    const uint64_t *spent = change->job->spent;

    if (change->vague) {
        add_vague(jobs, change);
    } else {
        add_part(jobs, PART_RUN, spent[ACCOUNT_RUNNING], change);
        add_part(jobs, PART_READY, spent[ACCOUNT_READY], change);
        add_part(jobs, PART_INTERRUPTED, spent[ACCOUNT_INTERRUPTED], change);
        add_part(jobs, PART_TURNS, change->job->turns, change);
    }
    add_part(jobs, PART_RESPONSE, change->ticks, change);
    add_part(jobs, PART_MUTEX, spent[ACCOUNT_BLOCKED + REASON_MUTEX], change);
    end_path(jobs, change);
    note_longest(jobs, change->thread,
                 (struct longest){.ticks = change->ticks, .end = change->now, .vague = change->vague}, spent);
}

/*
 * Cuts the run time of an open job. With several cores, the true run time may be shorter, or as long as the whole job.
 */
static void cut_run(struct jobs *jobs, uint32_t number, const struct change *change)
{
    const struct moment now = change->now;
    const struct model *model = jobs->base.model;
    const struct thread *thread = &model->threads[number];
    struct vague *vague = &jobs->vague[number][PART_RUN];
    uint64_t ran = thread_ran_in_job(thread, now.ticks);

    if (cores_are_vague(model, number, thread->job.doubted, thread->job.start.ticks)) {
        ran -= min_u64(ran, thread->doubt.less - thread->job.less);
        vague->high_max = max_u64(vague->high_max, now.ticks - thread->job.start.ticks);
    }
    cut_sample_from(&jobs->base, &jobs->parts[number][PART_RUN], ran, thread->job.start, change);
}

static void take_gap(void *self, const struct change *change)
{
    struct jobs *jobs = self;
    const struct model *model = jobs->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        const struct thread *thread = &model->threads[i];

        if (!thread->job.open || thread->perhaps_suspended)
            continue;
        cut_run(jobs, i, change);
        note_open(jobs, i, change->now);
        cut_sample_from(&jobs->base, &jobs->parts[i][PART_RESPONSE], change->now.ticks - thread->job.start.ticks,
                        thread->job.start, change);
        cut_path(jobs, i, change);
    }
}

/*
 * Makes all earlier jobs vague when a second core is found. In each earlier job the thread may have run all the time,
 * or not at all.
 */
static void take_several(void *self, const struct change *change)
{
    static const enum part parts[] = {PART_RUN, PART_READY, PART_INTERRUPTED};
    const struct jobs *jobs = self;

    (void)change;
    for (uint32_t i = 0; i < jobs->base.model->thread_numbers.count; i++) {
        struct spread *of = jobs->parts[i];
        const struct histogram *response = &of[PART_RESPONSE].samples;
        const uint64_t high[2] = {response->min, max_u64(response->max, of[PART_RESPONSE].cut_longest)};

        for (unsigned k = 0; k < sizeof(parts) / sizeof(*parts); k++)
            spread_doubt(&of[parts[k]], &jobs->vague[i][parts[k]], high, response->sum - of[parts[k]].samples.sum);
        spread_doubt(&of[PART_TURNS], &jobs->vague[i][PART_TURNS], (const uint64_t[2]){UINT64_MAX, UINT64_MAX},
                     UINT64_MAX);
        of[PART_RUN].cut_longest = 0;
        jobs->longest[i].vague = true;
    }
}

static void open(void *state, struct model *model)
{
    model_tell(model, CHANGE_SEVERAL, (struct change_sink){take_several, state});
    model_tell(model, CHANGE_READY, (struct change_sink){take_ready, state});
    model_tell(model, CHANGE_JOB, (struct change_sink){take_job, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_gap, state});
}

/* Lists the parts of the thread's longest job. A gap may hide a longer job, so then the parts may be anything. */
static void list_longest(struct list *list, const struct model *model, uint32_t thread, const struct longest *longest)
{
    static const struct {
        enum txtap_figure_id id;
        enum part part;
    } kinds[] = {{TXTAP_FIGURE_LONGEST_RUN, PART_RUN},
                 {TXTAP_FIGURE_LONGEST_READY, PART_READY},
                 {TXTAP_FIGURE_LONGEST_INTERRUPTED, PART_INTERRUPTED},
                 {TXTAP_FIGURE_LONGEST_MUTEX, PART_MUTEX}};
    bool anything = model_has_gaps(model) || longest->vague;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        double value = (double)longest->parts[kinds[i].part];

        list_between(list, (struct heading){.id = kinds[i].id, .subject = list_thread(model, thread)}, TXTAP_UNIT_TICKS,
                     (struct txtap_measure){true, value, anything ? 0 : value,
                                            anything || longest->open ? (double)INFINITY : value},
                     (struct txtap_place){true, longest->end.seq, longest->end.ticks});
    }
}

static void figures(const void *state, struct list *list)
{
    static const struct {
        enum txtap_figure_id id;
        enum txtap_unit unit;
    } kinds[PARTS] = {
        [PART_RUN] = {TXTAP_FIGURE_RUN, TXTAP_UNIT_TICKS},
        [PART_RESPONSE] = {TXTAP_FIGURE_RESPONSE, TXTAP_UNIT_TICKS},
        [PART_READY] = {TXTAP_FIGURE_RESPONSE_READY, TXTAP_UNIT_TICKS},
        [PART_INTERRUPTED] = {TXTAP_FIGURE_RESPONSE_INTERRUPTED, TXTAP_UNIT_TICKS},
        [PART_MUTEX] = {TXTAP_FIGURE_RESPONSE_MUTEX, TXTAP_UNIT_TICKS},
        [PART_TURNS] = {TXTAP_FIGURE_TURNS, TXTAP_UNIT_COUNT},
    };
    const struct jobs *jobs = state;
    const struct model *model = jobs->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        for (unsigned part = 0; part < PARTS; part++)
            list_spread_vague(list, (struct heading){.id = kinds[part].id, .subject = list_thread(model, i)},
                              kinds[part].unit, &jobs->parts[i][part], &jobs->vague[i][part]);
    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        if (jobs->longest[i].end.seq > 0)
            list_longest(list, model, i, &jobs->longest[i]);
    for (uint32_t i = 0; i < jobs->pairs.count; i++)
        list_spread(list,
                    (struct heading){.id = TXTAP_FIGURE_PATH,
                                     .subject = list_thread(model, (uint32_t)(jobs->pairs.keys[i] >> 32)),
                                     .other = list_interrupt((uint32_t)jobs->pairs.keys[i])},
                    TXTAP_UNIT_TICKS, &jobs->paths[i]);
}

static const struct check_name names[] = {
    FIGURE(RUN, "run", CHECK_TIME, VALUE, THREAD),
    FIGURE(RESPONSE, "response", CHECK_TIME, VALUE, THREAD),
    FIGURE(RESPONSE_READY, "response_ready", CHECK_TIME, VALUE, THREAD),
    FIGURE(RESPONSE_INTERRUPTED, "response_interrupted", CHECK_TIME, VALUE, THREAD),
    FIGURE(RESPONSE_MUTEX, "response_mutex", CHECK_TIME, VALUE, THREAD),
    FIGURE(TURNS, "turns", CHECK_COUNT, VALUE, THREAD),
    FIGURE(LONGEST_RUN, "longest_run", CHECK_TIME, VALUE, THREAD),
    FIGURE(LONGEST_READY, "longest_ready", CHECK_TIME, VALUE, THREAD),
    FIGURE(LONGEST_INTERRUPTED, "longest_interrupted", CHECK_TIME, VALUE, THREAD),
    FIGURE(LONGEST_MUTEX, "longest_mutex", CHECK_TIME, VALUE, THREAD),
    FIGURES(PATH, "path", CHECK_TIME, VALUE, THREAD),
    {0},
};

const struct analysis_row jobs_analysis = {
    .section = {"jobs", "run time and response time of jobs"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct jobs),
    .layout = layout,
    .open = open,
    .figures = figures,
};
