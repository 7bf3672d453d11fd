/* SPDX-License-Identifier: MIT */
/* The table of analyses. Each row is one analysis, in a file of its own. An analysis receives the model's changes and
 * lists figures. */
#ifndef TXTAP_DECODER_ANALYSIS_ANALYSES_H
#define TXTAP_DECODER_ANALYSIS_ANALYSES_H

#include "figures/check_names.h"
#include "figures/list.h"
#include "model/model.h"
#include "txtap/analysis.h"

/* The first member of the state of every analysis. */
struct base {
    const struct model *model;
    struct histogram_pool *pool;
    const struct txtap_analysis_options *options;
    uint64_t left_out; /* number of threads, objects or pairs that did not fit */
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
    findings_analysis;

/* Index: enum txtap_section. The last element is NULL. */
extern const struct analysis_row *const analysis_rows[];

/* Returns the model whose changes the analyses take. Other code can add sinks to this model before the first item. */
struct model *analysis_model(struct txtap_analysis *analysis);

#define STACK_IDS 128u /* no event from this id on has a stack pointer */

/* Returns 1 + the index of the event's word that contains the thread's stack pointer. 0: there is no such word. */
unsigned stack_word(uint32_t id);

/* Adds a sample that ends at the moment of the change. */
static inline void add_sample(const struct base *base, struct spread *spread, uint64_t value, const struct change *at)
{
    spread_add(spread, base->pool, value, at->now.seq, at->now.ticks);
}

#endif
