/* SPDX-License-Identifier: MIT */
/*
 * Compares a trace with an older trace of the same firmware, as a gate for CI. It compares only numbers that do not
 * depend on the length of a trace: shares of time, percentiles, stacks, and counts per time.
 */
#ifndef TXTAP_CAPTURE_COMPARE_REGRESSION_H
#define TXTAP_CAPTURE_COMPARE_REGRESSION_H

#include "compare/comparison.h"
#include "figures/verdicts.h"

/*
 * Judges the newer figures. *verdict: empty; gets the verdict, a sentence with the worst differences, and a line for
 * each difference, at most VERDICT_LINES_MOST lines in all. baseline: the older trace; `found` changes in its figures.
 * tolerance: 0.2 for 20 %. TXTAP_ERROR_USAGE: one trace has seconds and the other only ticks. TXTAP_ERROR_SYSTEM: no
 * memory. error has the cause.
 */
enum txtap_status regression_judge(struct verdict *verdict, const struct figures *figures, struct baseline *baseline,
                                   double tolerance, struct error *error);

#endif
