/* SPDX-License-Identifier: MIT */
/* The figures of a monitor: windows and maxima. The monitor takes the changes of the analyses' model. */
#ifndef TXTAP_DECODER_TOP_MONITOR_H
#define TXTAP_DECODER_TOP_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/analyses.h"
#include "figures/histogram.h"
#include "model/model.h"
#include "txtap/inner/top.h"

/*
 * Sliding windows: time is cut into slices of a quarter of a second. Each counted thing has a ring of slices for the
 * last ten seconds. A slice is cleared only when it is used again, so no work is needed while time passes.
 */
#define SLICES            40u
#define SLICES_PER_SECOND 4u

/* The sums of a slice, in ticks or counts. */
enum slice_sum {
    SLICE_RUN,
    SLICE_READY,
    SLICE_IDLE,
    SLICE_TICKS,
    SLICE_COUNT,
    SLICE_SWITCHES,
    SLICE_EVENTS,
    SLICE_LESS,
    SLICE_MORE,
    SLICE_DOUBT,
    SLICE_SUMS
};

/* Sums of a thread: COUNT: activations; SWITCHES: preemptions. Sums of the system: COUNT: interrupts; SWITCHES: context
 * switches; RUN: time in interrupts; LESS, MORE: ticks that IDLE may be too large or too small; DOUBT: ticks in which
 * an interrupt may have run. */
struct slice {
    uint64_t next_number; /* number of the slice plus one; 0: never used */
    uint64_t sum[SLICE_SUMS];
};

struct slices {
    struct slice slice[SLICES];
};

/*
 * The number of messages in a queue, in each slice. A count is stored as count + 1; 0 means unknown. Slices that were
 * skipped are filled when the next count is noted.
 */
struct depths {
    uint64_t number;       /* the slice of `most` */
    uint32_t most, latest; /* the largest count in this slice, and the count now */
    uint32_t past[SLICES]; /* the largest count in each of the slices before it */
};

/* Returns the largest count in slice `number`, plus one; 0: unknown. */
uint32_t depths_most(const struct depths *depths, uint64_t number);

/* Returns a sum of slice `number`; 0 if the slice was never used or is too old. */
uint64_t slices_at(const struct slices *slices, uint64_t number, enum slice_sum sum);

/* Returns the sum over the slices first..last. */
uint64_t slices_sum(const struct slices *slices, uint64_t first, uint64_t last, enum slice_sum sum);

#define MONITOR_INTERRUPTS 256u
#define MONITOR_PAGES      16384u

/* The figures of a thread. */
struct thread_figures {
    struct slices slices;
    struct spread run, wake, response; /* since the last reset */
    bool has_stack;
    uint32_t stack_lowest; /* the lowest stack pointer, since the last reset */
};

/* The figures of an object, since the last reset. */
struct object_figures {
    bool has_extreme;
    uint32_t extreme; /* a queue: largest number of messages; a pool: smallest number of free blocks or bytes */
    uint64_t uses, failed;
    struct spread wait;
    struct depths depths; /* a reset keeps them */
};

struct interrupt_figures {
    struct slices slices;
    bool has_run, has_gap; /* since the last reset */
    uint64_t run_max, gap_min;
    bool entered; /* entered since the last gap: last_enter is valid */
    uint64_t last_enter;
};

struct txtap_top {
    const struct model *model;
    struct histogram_pool pool;
    struct table interrupt_numbers;
    struct thread_figures *threads;       /* index: number in the model */
    struct interrupt_figures *interrupts; /* index: number in interrupt_numbers */
    struct object_figures *objects;       /* index: number in the model */
    struct slices system, losses;         /* sums of losses: COUNT: events, SWITCHES: gaps */
    uint8_t stack_word[STACK_IDS];        /* index: id of an event; value: stack_word() */
    double tick_hz;
    uint64_t slice_ticks;              /* ticks per slice; UINT64_MAX: the tick rate is unknown */
    uint64_t newest;                   /* number of the newest slice */
    struct slice *system_now;          /* the newest slice of `system`, or an older slice that it will overwrite */
    uint64_t windows_begin;            /* tick at which the windows begin */
    uint64_t counted[TXTAP_CORES_MAX]; /* index: core; tick up to which the slices contain its time */
    double load_max;                   /* maximum since the last reset; unknown: no load was measured */
    uint32_t nesting;                  /* maximum since the last reset */
    bool gap;                          /* a gap occurred since the last reset */
    uint64_t gap_ticks;                /* tick of the first gap since the last reset */
    bool behind_gap;                   /* no event has occurred since a gap */
};

/* Returns the load over the slices first..last, in percent of all cores; unknown if no time was observed. */
double monitor_load(const struct txtap_top *top, uint64_t first, uint64_t last);

/*
 * Adds to the slices the time that each core has run up to the tick `ticks`. The model reports this time only when the
 * core changes its activity.
 */
void monitor_count_running(struct txtap_top *top, uint64_t ticks);

#endif
