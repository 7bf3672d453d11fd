/* SPDX-License-Identifier: MIT */
/* The table of analyses. Each row is one analysis, in a file of its own. An analysis receives the model's changes and
 * lists figures. */
#ifndef TXTAP_DECODER_ANALYSIS_ANALYSES_H
#define TXTAP_DECODER_ANALYSIS_ANALYSES_H

#include "figures/check_names.h"
#include "figures/list.h"
#include "model/model.h"
#include "txtap/analysis.h"
#include "txtap/inner/instances.h"

/* A sample at the moment when an analysis adds it to a spread. */
struct sample {
    const struct spread *spread;
    enum txtap_instance_kind kind;
    bool vague;               /* only bounds of the value are known */
    uint64_t value;           /* in the unit of the figure; CUT, OPEN: a lower bound */
    struct moment start, end; /* start.seq: 0 if it is unknown */
    const uint64_t *spent;    /* the ticks of a thread's job in each account; NULL: not a job */
};

/* Takes the samples from which figures are made. */
struct sample_sink {
    void (*take)(void *self, const struct sample *sample);
    void *self;
};

/* The first member of the state of every analysis. */
struct base {
    const struct model *model;
    struct histogram_pool *pool;
    const struct txtap_analysis_options *options;
    const struct sample_sink *samples; /* take NULL: no sink */
    uint64_t left_out;                 /* number of threads, objects or pairs that did not fit */
};

struct analysis_row {
    struct txtap_analysis_section section;
    const struct check_name *names; /* the figures of this analysis that a check can name; ends with
                                       TXTAP_FIGURE_NONE */
    uint32_t uses;      /* a set of further sections whose figures this analysis reads; they are analysed, too */
    bool any_kernel;    /* true: gives figures for other kernels, too; false: only for ThreadX */
    size_t state_bytes; /* size of the state in bytes; the state is zeroed before its base is set */
    /* Allocates the tables of the state from the arena; NULL: the analysis has no tables. */
    void (*layout)(void *state, struct arena *arena, const struct txtap_analysis_limits *limits);
    /* Tells the model which changes the analysis needs. */
    void (*open)(void *state, struct model *model);
    /* Learns the name of an object; called for each object that the model knows. NULL: the analysis needs no names. */
    void (*learn)(void *state, const struct txtap_object *object);
    void (*figures)(const void *state, struct list *list);
};

extern const struct analysis_row cpu_analysis, wake_analysis, jobs_analysis, period_analysis, blocking_analysis,
    interrupts_analysis, switches_analysis, stack_analysis, calls_analysis, mutex_analysis, inversion_analysis,
    queue_analysis, semaphore_analysis, pool_analysis, deadlock_analysis, network_analysis, priority_analysis,
    cores_analysis, between_analysis, nominal_analysis, buckets_analysis, lifetime_analysis, values_analysis,
    findings_analysis, flow_analysis;

/* Index: enum txtap_section. The last element is NULL. */
extern const struct analysis_row *const analysis_rows[];

/* Returns the model whose changes the analyses take. Other code can add sinks to this model before the first item. */
struct model *analysis_model(struct txtap_analysis *analysis);

/* Gives all samples to the sink from now on. Inversions and deadlocks give no samples. */
void analysis_samples(struct txtap_analysis *analysis, struct sample_sink sink);

/* Finds the figure of the samples; its statistics are not valid. The figure is valid until the analysis takes another
 * item. Returns false if no figure lists these samples. */
bool analysis_figure_of(const struct txtap_analysis *analysis, const struct spread *samples,
                        struct txtap_figure *figure);

#define STACK_IDS 128u /* no event from this id on has a stack pointer */

/* Returns 1 + the index of the event's word that contains the thread's stack pointer. 0: there is no such word. */
unsigned stack_word(uint32_t id);

/* Gives a sample to the sink of samples, if there is one. */
static inline void tell_sample(const struct base *base, const struct sample *sample)
{
    if (base->samples->take != NULL)
        base->samples->take(base->samples->self, sample);
}

/* Returns the start of a sample that lasted from its start to its end. */
static inline struct moment before(struct moment end, uint64_t ticks)
{
    return (struct moment){.ticks = end.ticks - ticks};
}

/* Adds a sample: the ticks from its start to the moment `end`. */
static inline void add_sample_at(const struct base *base, struct spread *spread, uint64_t value, struct moment end)
{
    spread_add(spread, base->pool, value, end.seq, end.ticks);
    tell_sample(base, &(struct sample){.spread = spread, .value = value, .start = before(end, value), .end = end});
}

/* Adds a sample that ends at the moment of the change. */
static inline void add_sample(const struct base *base, struct spread *spread, uint64_t value, const struct change *at)
{
    add_sample_at(base, spread, value, at->now);
}

/* Adds a sample that ends at the moment of the change, and of which only bounds are known. */
static inline void add_vague_sample(const struct base *base, struct spread *spread, struct vague *vague,
                                    const uint64_t bounds[2], uint64_t value, const struct change *at)
{
    spread_add_vague(spread, vague, base->pool, bounds, value, at->now.seq, at->now.ticks);
    tell_sample(base,
                &(struct sample){
                    .spread = spread, .value = value, .start = before(at->now, value), .end = at->now, .vague = true});
}

/* Adds a sample of which only the part from `start` to the change is known. At the end of the trace the sample is
 * open. */
static inline void cut_sample_from(const struct base *base, struct spread *spread, uint64_t value, struct moment start,
                                   const struct change *at)
{
    spread_cut(spread, value, at->now.seq, at->now.ticks);
    tell_sample(base, &(struct sample){.spread = spread,
                                       .kind = at->kind == CHANGE_END ? TXTAP_INSTANCE_OPEN : TXTAP_INSTANCE_CUT,
                                       .value = value,
                                       .start = start,
                                       .end = at->now});
}

static inline void cut_sample(const struct base *base, struct spread *spread, uint64_t value, const struct change *at)
{
    cut_sample_from(base, spread, value, before(at->now, value), at);
}

#endif
