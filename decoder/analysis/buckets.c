/* SPDX-License-Identifier: MIT */
/*
 * CPU share over time: what the cores ran in each bucket. A bucket is a time span of fixed width. The first bucket
 * begins with the first event. When all buckets are full, each pair of buckets is joined into one bucket, and the width
 * doubles.
 */
#include "analysis/analyses.h"

#include <math.h>

#include "base/min_max.h"

/* Kinds of ticks: the activities of a core, and two bounds. KIND_LESS_*: counted ticks of an activity that may belong
 * to another activity. KIND_MORE_*: ticks of other activities that may belong to this activity. */
enum kind {
    KIND_INTERRUPTS,
    KIND_INIT,
    KIND_IDLE,
    KIND_THREAD,
    KIND_UNKNOWN, /* ticks in gaps */
    KIND_LESS_INTERRUPTS,
    KIND_MORE_INTERRUPTS,
    KIND_LESS_IDLE,
    KIND_MORE_IDLE,
    KIND_LESS_THREAD,
    KINDS
};

struct bucket {
    uint64_t ticks[KINDS]; /* sums over all cores and threads */
    bool has_first;
    struct moment first; /* the first event in the bucket */
};

struct buckets {
    struct base base;
    uint32_t capacity, threads; /* maximum number of buckets; maximum number of threads */
    uint64_t width;             /* ticks per bucket */
    struct bucket *at;
    uint64_t *ran, *less; /* index: bucket and thread; ran: ticks that the thread ran; less: the uncertain part of
                             ran */
    bool in_gap;
    uint64_t gap_from;
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct buckets *buckets = state;

    buckets->capacity = limits->buckets;
    buckets->threads = limits->threads;
    buckets->at = arena_take(arena, limits->buckets, sizeof(*buckets->at));
    buckets->ran = arena_take(arena, (size_t)limits->buckets * limits->threads, sizeof(*buckets->ran));
    buckets->less = arena_take(arena, (size_t)limits->buckets * limits->threads, sizeof(*buckets->less));
}

/* ---- buckets ---- */

static void join(struct bucket *into, const struct bucket *a, const struct bucket *b)
{
    struct bucket both = {.has_first = a->has_first || b->has_first, .first = a->has_first ? a->first : b->first};

    for (unsigned kind = 0; kind < KINDS; kind++)
        both.ticks[kind] = a->ticks[kind] + b->ticks[kind];
    *into = both;
}

/* Joins the counters of each pair of buckets into the counters of one bucket. */
static void join_threads(const struct buckets *buckets, uint64_t *counters)
{
    size_t threads = buckets->threads;

    for (size_t i = 0; i < buckets->capacity; i++) {
        for (size_t thread = 0; thread < threads; thread++) {
            uint64_t sum = 2 * i < buckets->capacity ? counters[2 * i * threads + thread] : 0;

            if (2 * i + 1 < buckets->capacity)
                sum += counters[(2 * i + 1) * threads + thread];
            counters[i * threads + thread] = sum;
        }
    }
}

/* Joins each pair of buckets, so that half of the buckets are free. */
static void coarsen(struct buckets *buckets)
{
    static const struct bucket empty = {0};

    for (size_t i = 0; i < buckets->capacity; i++)
        join(&buckets->at[i], 2 * i < buckets->capacity ? &buckets->at[2 * i] : &empty,
             2 * i + 1 < buckets->capacity ? &buckets->at[2 * i + 1] : &empty);
    join_threads(buckets, buckets->ran);
    join_threads(buckets, buckets->less);
    buckets->width *= 2;
}

/* Returns the bucket for the time `passed`, in ticks since the first event. Doubles the width until the time fits. */
static uint64_t bucket_of(struct buckets *buckets, uint64_t passed)
{
    while (passed / buckets->width >= buckets->capacity)
        coarsen(buckets);
    return passed / buckets->width;
}

static void count(struct buckets *buckets, uint64_t number, enum kind kind, uint32_t thread, uint64_t ticks)
{
    buckets->at[number].ticks[kind] += ticks;
    if (kind == KIND_THREAD)
        buckets->ran[number * buckets->threads + thread] += ticks;
    else if (kind == KIND_LESS_THREAD)
        buckets->less[number * buckets->threads + thread] += ticks;
}

/* Adds the time between two ticks to its buckets. The time may extend over many buckets. */
static void add(struct buckets *buckets, uint64_t from, uint64_t to, enum kind kind, uint32_t thread)
{
    uint64_t start = buckets->base.model->first.ticks;

    if (from == to)
        return;
    (void)bucket_of(buckets, to - 1 - start);
    while (from < to) {
        uint64_t number = bucket_of(buckets, from - start);
        uint64_t end = min_u64(to, start + (number + 1) * buckets->width);

        count(buckets, number, kind, thread, end - from);
        from = end;
    }
}

/* ---- changes ---- */

/* Adds the span of change->ticks ticks that ends at the change. */
static void add_last(struct buckets *buckets, const struct change *change, enum kind kind)
{
    add(buckets, change->now.ticks - change->ticks, change->now.ticks, kind, change->thread);
}

static void take_running(void *self, const struct change *change)
{
    static const enum kind kinds[] = {
        [RUNNING_IDLE] = KIND_IDLE,
        [RUNNING_INIT] = KIND_INIT,
        [RUNNING_ISR] = KIND_INTERRUPTS,
        [RUNNING_THREAD] = KIND_THREAD,
    };

    add_last(self, change, kinds[change->before]);
    if (change->maybe != 0 && change->before == RUNNING_IDLE)
        add_last(self, change, KIND_LESS_IDLE);
    if (change->maybe != 0 && change->before == RUNNING_THREAD)
        add_last(self, change, KIND_LESS_THREAD);
    if ((change->maybe & MAYBE(RUNNING_ISR)) != 0)
        add_last(self, change, KIND_MORE_INTERRUPTS);
}

static void take_doubt(void *self, const struct change *change)
{
    add_last(self, change, KIND_LESS_INTERRUPTS);
    if (change->before == RUNNING_IDLE)
        add_last(self, change, KIND_LESS_IDLE);
    else if (change->maybe != MAYBE(RUNNING_THREAD))
        add_last(self, change, KIND_MORE_IDLE);
    if (change->before == RUNNING_THREAD)
        add_last(self, change, KIND_LESS_THREAD);
}

static void end_gap(struct buckets *buckets, uint64_t now)
{
    if (buckets->in_gap)
        add(buckets, buckets->gap_from, now, KIND_UNKNOWN, NONE);
    buckets->in_gap = false;
}

static void take_event(void *self, const struct change *change)
{
    struct buckets *buckets = self;
    struct bucket *bucket;

    end_gap(buckets, change->now.ticks);
    bucket = &buckets->at[bucket_of(buckets, change->now.ticks - buckets->base.model->first.ticks)];
    if (!bucket->has_first)
        bucket->first = change->now;
    bucket->has_first = true;
}

static void take_gap(void *self, const struct change *change)
{
    struct buckets *buckets = self;

    buckets->in_gap = true;
    buckets->gap_from = change->now.ticks;
}

static void take_end(void *self, const struct change *change)
{
    end_gap(self, change->now.ticks);
}

static void open(void *state, struct model *model)
{
    struct buckets *buckets = state;

    buckets->width = buckets->base.options->bucket_ticks;
    if (buckets->width == 0 || buckets->capacity == 0)
        return;
    model_tell(model, CHANGE_EVENT, (struct change_sink){take_event, state});
    model_tell(model, CHANGE_RUNNING, (struct change_sink){take_running, state});
    model_tell(model, CHANGE_DOUBT, (struct change_sink){take_doubt, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_end, state});
}

/* ---- figures ---- */

struct part {
    const struct bucket *bucket;
    struct txtap_span span;
    uint64_t observed, uncertain; /* observed: ticks outside gaps; uncertain: ticks in which a core's activity is
                                     unknown, summed over all cores */
};

static struct part part_of(const struct buckets *buckets, uint64_t number)
{
    const struct model *model = buckets->base.model;
    const struct bucket *bucket = &buckets->at[number];
    uint64_t from = model->first.ticks + number * buckets->width,
             to = min_u64(from + buckets->width, model->last.ticks);
    uint64_t known = 0, observed, all;

    for (unsigned kind = 0; kind < KIND_UNKNOWN; kind++)
        known += bucket->ticks[kind];
    observed = to - from - min_u64(bucket->ticks[KIND_UNKNOWN], to - from);
    all = model->core_count * observed;
    return (struct part){bucket, {true, from, to}, observed, all - min_u64(known, all)};
}

static void list_part(struct list *list, enum txtap_figure_id id, struct txtap_subject subject, const struct part *part,
                      uint64_t ticks, struct doubt doubt)
{
    double all = (double)(part->span.to - part->span.from), most = (double)(ticks + doubt.more + part->uncertain);
    struct txtap_measure share = {
        .known = true,
        .value = part->observed > 0 ? 100 * (double)ticks / (double)part->observed : 0,
        .lower = 100 * (double)(ticks - min_u64(doubt.less, ticks)) / all,
        .upper = model_is_unsure(list->model)
                     ? (double)INFINITY
                     : 100 * (most + (double)(part->bucket->ticks[KIND_UNKNOWN] * list->model->core_count)) / all,
    };
    struct txtap_place place = {part->bucket->has_first, part->bucket->first.seq, part->bucket->first.ticks};

    if (list->model->switches_open) { /* the events do not show for certain which thread ran between two switches */
        share.lower = 0;
        share.upper = 100;
    }
    list_span(list, (struct heading){.id = id, .subject = subject}, TXTAP_UNIT_PERCENT, share, place, part->span);
}

static void figures(const void *state, struct list *list)
{
    const struct buckets *buckets = state;
    const struct model *model = buckets->base.model;
    uint64_t window = model->last.ticks - model->first.ticks;

    if (buckets->width == 0 || buckets->capacity == 0)
        return;
    for (uint64_t i = 0; i < buckets->capacity && i * buckets->width < window; i++) {
        const struct part part = part_of(buckets, i);
        const uint64_t *ticks = part.bucket->ticks;

        list_part(list, TXTAP_FIGURE_BUCKET_LOAD, list_system(), &part,
                  ticks[KIND_THREAD] + ticks[KIND_INTERRUPTS] + ticks[KIND_INIT],
                  (struct doubt){ticks[KIND_MORE_IDLE], ticks[KIND_LESS_IDLE]});
        if (model->interrupts_recorded && !model->interrupts_open)
            list_part(list, TXTAP_FIGURE_BUCKET_INTERRUPTS, list_system(), &part, ticks[KIND_INTERRUPTS],
                      (struct doubt){ticks[KIND_LESS_INTERRUPTS], ticks[KIND_MORE_INTERRUPTS]});
        for (uint32_t thread = 0; thread < model->thread_numbers.count; thread++)
            list_part(list, TXTAP_FIGURE_BUCKET_CPU, list_thread(model, thread), &part,
                      buckets->ran[i * buckets->threads + thread],
                      (struct doubt){buckets->less[i * buckets->threads + thread], ticks[KIND_LESS_INTERRUPTS]});
    }
}

static const struct check_name names[] = {
    FIGURE(BUCKET_LOAD, "bucket_load", CHECK_SHARE, VALUE, SYSTEM),
    FIGURE(BUCKET_INTERRUPTS, "bucket_interrupts", CHECK_SHARE, VALUE, SYSTEM),
    FIGURES(BUCKET_CPU, "bucket_cpu", CHECK_SHARE, VALUE, THREAD),
    {0},
};

const struct analysis_row buckets_analysis = {
    .section = {"buckets", "CPU share over time"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct buckets),
    .layout = layout,
    .open = open,
    .figures = figures,
};
