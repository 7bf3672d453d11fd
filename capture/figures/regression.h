/* SPDX-License-Identifier: MIT */
/*
 * Compares a trace with an older trace of the same firmware, as a gate for CI. It compares only numbers that do not
 * depend on the length of a trace: shares of time, percentiles, stacks, and counts per time.
 */
#ifndef TXTAP_CAPTURE_FIGURES_REGRESSION_H
#define TXTAP_CAPTURE_FIGURES_REGRESSION_H

#include "figures/comparison.h"
#include "figures/verdicts.h"

/* Differences up to these floors never fail. Two runs of the same firmware may differ by as much. */
#define REGRESSION_FLOOR_SECONDS 20e-6 /* times */
#define REGRESSION_FLOOR_TICKS   5     /* times, if this is longer */
#define REGRESSION_FLOOR_PERCENT 1     /* shares of time, and shares of a stack: percentage points */
#define REGRESSION_FLOOR_COUNT   3     /* counts: this number, plus three times the square root of the expected count */
#define REGRESSION_BEYOND        10    /* a percentile needs at least this number of samples above it, in both traces */

/*
 * Judges the newer figures. *verdict: empty; gets the verdict, a sentence with the worst differences, and a line for
 * each difference, at most VERDICT_LINES_MOST lines in all. baseline: the older trace; `found` changes in its figures.
 * tolerance: 0.2 for 20 %. TXTAP_ERROR_USAGE: one trace has seconds and the other only ticks. TXTAP_ERROR_SYSTEM: no
 * memory. error has the cause.
 */
enum txtap_status regression_judge(struct verdict *verdict, const struct figures *figures, struct baseline *baseline,
                                   double tolerance, struct error *error);

#endif
