/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The samples of figures over time. A figure such as response(control) has a count, a mean and a maximum. An instance
 * is one of the samples behind these numbers: a job, a wait, a hold, an interrupt, with its start, its end and its
 * length. Instances come from the place where the analyses add their samples, so that the instances of a figure have
 * exactly its count, its sum and its maximum.
 *
 *     txtap_instances_open(instances, analysis, sink);
 *     while (...)
 *         txtap_analysis_take(analysis, &item);
 *     txtap_analysis_end(analysis);
 */
#ifndef TXTAP_INNER_INSTANCES_H
#define TXTAP_INNER_INSTANCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/analysis.h"
#include "txtap/figure.h"

enum txtap_instance_kind {
    TXTAP_INSTANCE_COMPLETE, /* a sample of its figure */
    TXTAP_INSTANCE_CUT,      /* not a sample: its start or end is not in the trace; the length is a lower bound */
    TXTAP_INSTANCE_OPEN,     /* not a sample: it had not ended at the end of the trace; the length is a lower bound */
};

/* Returns "complete", "cut" or "open"; static. */
const char *txtap_instance_kind_name(enum txtap_instance_kind kind);

/* The parts of a job. Their sum is the length of the job. */
enum txtap_instance_part {
    TXTAP_INSTANCE_RUN,
    TXTAP_INSTANCE_READY,
    TXTAP_INSTANCE_INTERRUPTED,
    TXTAP_INSTANCE_BLOCKED, /* the thread waited within the job, such as for a mutex */
    TXTAP_INSTANCE_UNKNOWN, /* the trace does not show the state of the thread */
    TXTAP_INSTANCE_PARTS
};

struct txtap_instance {
    enum txtap_instance_kind kind;
    bool vague;                           /* with several cores: only bounds of the value or of the parts are known */
    bool has_parts;                       /* the figure describes a job, and `parts` is valid */
    uint32_t series;                      /* number of its series: see struct txtap_instance_sink */
    uint64_t value;                       /* in the unit of the figure; CUT, OPEN: at least this number */
    uint64_t start, end;                  /* in ticks; a part of a job starts and ends with its job */
    uint64_t start_seq;                   /* event with which it started; 0: not noted */
    uint64_t seq;                         /* event with which it ended */
    uint64_t parts[TXTAP_INSTANCE_PARTS]; /* in ticks */
};

struct txtap_instance_sink {
    /*
     * Opens a series, which has the instances of one figure. Series have the numbers 0, 1, 2, ... The statistics of the
     * figure are not valid. The figure is valid until the function returns. Returns false if the instances of this
     * figure are not wanted.
     */
    bool (*open)(void *self, uint32_t series, const struct txtap_figure *figure);
    /* Takes an instance of an open series. Instances of a series come in the order of their ends. */
    void (*take)(void *self, const struct txtap_instance *instance);
    void *self;
};

#define TXTAP_INSTANCE_SLOTS 16384u /* a power of 2 */

/* Needs no initialization before txtap_instances_open(). All members are private except left_out and series_count. */
struct txtap_instances {
    struct txtap_analysis *analysis;
    struct txtap_instance_sink sink;
    uint32_t series_count;
    uint32_t slot_count;
    uint64_t left_out; /* number of samples whose figure is not in the report, or for which there is no room */
    struct txtap_instance_slot {
        const void *samples; /* the figure's samples; NULL: the slot is free */
        uint32_t series;     /* UINT32_MAX: not wanted */
    } slots[TXTAP_INSTANCE_SLOTS];
};

/* Returns true if figures with this identifier have instances. */
bool txtap_instances_exist(enum txtap_figure_id id);

/* Gives the instances of the analysis to the sink from now on. Call it before the first item. The analysis borrows
 * *instances. */
void txtap_instances_open(struct txtap_instances *instances, struct txtap_analysis *analysis,
                          struct txtap_instance_sink sink);

#endif
