/* SPDX-License-Identifier: MIT */
/*
 * Runs all analyses of a trace in one pass: a sink that takes items, and that can give figures at any time.
 *
 *     size_t bytes = txtap_analysis_bytes(&limits, options.sections);
 *     struct txtap_analysis *analysis = txtap_analysis_open(memory, &limits, &options);
 *
 *     txtap_analysis_names(analysis, registry);
 *     txtap_analysis_objects(analysis, registry);
 *     while (...)
 *         txtap_analysis_take(analysis, &item);
 *     txtap_analysis_end(analysis);
 *     txtap_analysis_figures(analysis, 0, sink);
 */
#ifndef TXTAP_ANALYSIS_H
#define TXTAP_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/figure.h"
#include "txtap/item.h"
#include "txtap/registry.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

/*
 * The analysis has memory for these numbers of threads, objects and so on. Further threads, objects and pairs are
 * counted but not analysed: see left_out of struct txtap_analysis_summary.
 */
struct txtap_analysis_limits {
    uint32_t threads; /* at most 65535 */
    uint32_t objects; /* at most 65535: queues, mutexes, ... */
    uint32_t pairs;   /* pairs of thread and object, of thread and event, ...: at most 65535 of each kind */
    uint32_t buckets; /* buckets of the CPU share over time: at most 65535; a bucket takes 8 bytes for each thread; 0:
                         no buckets */
    uint32_t pages;   /* pages of histograms: at most 65535, 128 bytes each */
};

/* Returns limits that are enough for most firmware, without buckets: about 13 MB. */
struct txtap_analysis_limits txtap_analysis_limits_default(void);

#define TXTAP_ANALYSIS_BETWEEN_MAX 4

/*
 * Intervals from an event with the id `from` to the next event with the id `to`, in the same thread or with the same
 * word.
 */
struct txtap_between {
    uint32_t from, to; /* event ids; if both are equal, the intervals are periods */
    uint32_t word;     /* 0 to 3: info[word] of the two events must be equal; 4: their thread must be equal */
};

#define TXTAP_ANALYSIS_PERIODS_MAX 16

/* The period that a thread's jobs should have. If several patterns match a thread, the first pattern counts. */
struct txtap_nominal_period {
    const char *thread; /* a pattern (filter.h), or an address; borrowed */
    uint64_t ticks;     /* above 0 */
};

#define TXTAP_ANALYSIS_LOCKS_MAX 16

/* The sections of a report, ordered by rank. Each section contains the figures of one analysis. */
enum txtap_section {
    TXTAP_SECTION_FINDINGS, /* has no figures, but makes the analyses run that findings need */
    TXTAP_SECTION_TRACE,
    TXTAP_SECTION_CPU,
    TXTAP_SECTION_BUCKETS,
    TXTAP_SECTION_WAKE,
    TXTAP_SECTION_JOBS,
    TXTAP_SECTION_PERIOD,
    TXTAP_SECTION_NOMINAL,
    TXTAP_SECTION_BLOCKING,
    TXTAP_SECTION_STACK,
    TXTAP_SECTION_QUEUE,
    TXTAP_SECTION_MUTEX,
    TXTAP_SECTION_INVERSION,
    TXTAP_SECTION_INTERRUPTS,
    TXTAP_SECTION_SEMAPHORE,
    TXTAP_SECTION_DEADLOCK,
    TXTAP_SECTION_POOL,
    TXTAP_SECTION_FLOW,
    TXTAP_SECTION_SWITCHES,
    TXTAP_SECTION_BETWEEN,
    TXTAP_SECTION_NETWORK,
    TXTAP_SECTION_CALLS,
    TXTAP_SECTION_CORES,
    TXTAP_SECTION_PRIORITY,
    TXTAP_SECTION_LIFETIME,
    TXTAP_SECTION_VALUES,
    TXTAP_SECTIONS
};

/* The bit of a section in a set of sections. */
#define TXTAP_SECTION_BIT(section) ((uint32_t)1 << (section))
#define TXTAP_SECTIONS_ALL         (TXTAP_SECTION_BIT(TXTAP_SECTIONS) - 1)

struct txtap_analysis_options {
    uint32_t sections;      /* a set of sections; other sections take no memory and no time; 0: all sections */
    double tick_hz;         /* ticks per second; 0: not known */
    bool any_wait_ends_job; /* a wait for a mutex also ends a job */
    struct txtap_nominal_period periods[TXTAP_ANALYSIS_PERIODS_MAX];
    uint32_t period_count;
    const char
        *locks[TXTAP_ANALYSIS_LOCKS_MAX]; /* borrowed: patterns or addresses of semaphores that are used as locks */
    uint32_t lock_count;
    uint64_t bucket_ticks; /* width of a CPU share bucket, in ticks; doubles when all buckets are full; 0: no buckets */
    struct txtap_between between[TXTAP_ANALYSIS_BETWEEN_MAX];
    uint32_t between_count;
};

struct txtap_analysis; /* an analysis, stored in the caller's memory */

/*
 * Returns the bytes of memory needed for limits and a set of sections (0: all sections). Returns 0 if limits are out of
 * range.
 */
size_t txtap_analysis_bytes(const struct txtap_analysis_limits *limits, uint32_t sections);

/* Opens an analysis without items. memory: txtap_analysis_bytes() bytes for the sections of the options, aligned as
 * malloc() aligns, borrowed. */
struct txtap_analysis *txtap_analysis_open(void *memory, const struct txtap_analysis_limits *limits,
                                           const struct txtap_analysis_options *options);

/* Learns stacks, capacities and priorities from the target's objects. Call it before the first event, and after each
 * change of the registry. */
void txtap_analysis_objects(struct txtap_analysis *analysis, const struct txtap_registry *registry);

/*
 * Sets the registry whose names distinguish threads that are created at the same address one after another. Threads
 * with different names have separate figures. Threads with the same name, or without a name, are counted as one thread.
 * The registry must note each event, and learn the names for this event, before the analysis takes the event. The
 * registry must stay valid until txtap_analysis_end(). Call this function before txtap_analysis_objects(). NULL (the
 * default): all threads at one address are counted as one thread.
 */
void txtap_analysis_names(struct txtap_analysis *analysis, const struct txtap_registry *registry);

/* Takes an item, and returns TXTAP_OK. The function can be the take of a struct txtap_sink; self is the analysis. */
enum txtap_status txtap_analysis_take(void *analysis, const struct txtap_item *item);

/* Sets the rate of the time stamps, if it was unknown at first: figures per second need it. Sums over single seconds
 * are given only if the options had the rate. */
void txtap_analysis_rate(struct txtap_analysis *analysis, double tick_hz);

/* Analyses the last events, which still waited for later events. Call it after the last item. */
void txtap_analysis_end(struct txtap_analysis *analysis);

/* Gives the figures of a set of sections (0: all sections) to the sink, in the order of sections. Returns the sink's
 * last status. */
enum txtap_status txtap_analysis_figures(const struct txtap_analysis *analysis, uint32_t sections,
                                         struct txtap_figure_sink sink);

/* The size of the analysed trace, and its missing parts. */
struct txtap_analysis_summary {
    uint64_t events, gaps;
    uint64_t lost;                         /* lower bound of the events lost in gaps */
    bool lost_exact;                       /* lost is exact */
    uint64_t window_ticks, observed_ticks; /* window_ticks: from the first event to the last; observed_ticks:
                                              window_ticks without the gaps */
    uint64_t uncertain_ticks; /* observed ticks, summed over all cores, in which an interrupt may have run without
                                 recording its begin or end */
    uint32_t cores; /* cores with events; a trace does not show whether one clock gives the time stamps of all cores */
    uint64_t left_out; /* number of threads, objects and pairs that did not fit; 0: the figures are complete */
};

void txtap_analysis_summary(const struct txtap_analysis *analysis, struct txtap_analysis_summary *summary);

struct txtap_analysis_section {
    const char *name;  /* "cpu" */
    const char *brief; /* "CPU share" */
};

/* Returns the row of a section (enum txtap_section); NULL after the last section. */
const struct txtap_analysis_section *txtap_analysis_section(size_t index);

TXTAP_API_END

#endif
