/* SPDX-License-Identifier: MIT */
/*
 * The figures that can be worse: a larger number is worse, except for the free share of a stack. Their numbers do not
 * depend on the length of a trace: shares of time, percentiles, stacks, and counts per time.
 */
#ifndef TXTAP_CAPTURE_COMPARE_GATE_H
#define TXTAP_CAPTURE_COMPARE_GATE_H

#include <stdbool.h>

#include "txtap/figure.h"

/* Differences up to these floors never fail. Two runs of the same firmware may differ by as much. */
#define GATE_FLOOR_SECONDS 20e-6 /* times */
#define GATE_FLOOR_TICKS   5     /* times, if this is longer */
#define GATE_FLOOR_PERCENT 1     /* shares of time, and shares of a stack: percentage points */
#define GATE_FLOOR_COUNT   3     /* counts: this number, plus three times the square root of the expected count */
#define GATE_BEYOND        10    /* a percentile needs at least this number of samples above it, in both traces */

enum gate_kind {
    GATE_NONE,    /* not in the table: neither larger nor smaller is worse */
    GATE_SAMPLES, /* times with many samples */
    GATE_SHARE,   /* percent of the time */
    GATE_STACK,   /* free percent of a stack; the used percent is compared */
    GATE_COUNT,   /* occurrences, which are compared per time */
    GATE_FIRST,   /* like GATE_COUNT, for faults: the first occurrence fails */
};

struct gate_rule {
    const char *name; /* of the figures, as in struct txtap_figure */
    enum gate_kind kind;
    bool is_cause; /* the time or the memory that the subject itself takes, without waiting for others */
};

/* Returns the rule for the figures with this name and detail; NULL: no rule. */
const struct gate_rule *gate_rule_of(const char *name, const char *detail);

/* Returns the highest percentile that has enough samples above it, if the smaller trace has `fewest` samples;
 * TXTAP_STATS: no percentile has enough. */
enum txtap_stat gate_percentile(double fewest);

/* Returns the smallest difference that counts. before: the older number; a count is the number expected in the newer
 * trace. tick_hz: 0 if unknown. */
double gate_floor(enum gate_kind kind, double before, double tick_hz);

#endif
