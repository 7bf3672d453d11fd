/* SPDX-License-Identifier: MIT */
/*
 * The samples of a figure over time, for a plot: the instances of all subjects, as in 'txtap report --instances'. They
 * are made in steps, like a report: begin, report_step(), then instances_end(). They stay until the next begin.
 */
#ifndef TXTAP_CAPTURE_VIEW_WASM_INSTANCES_H
#define TXTAP_CAPTURE_VIEW_WASM_INSTANCES_H

#include "view/wasm/view_trace.h"

#define INSTANCES_ALL  UINT32_MAX /* all series */
#define INSTANCES_NONE UINT32_MAX /* no instance */

#define INSTANCES_COLUMNS_MAX 16384u

/* Begins the instances of the figure `name` in the whole trace. Drops an unfinished report and earlier instances.
 * False: no memory, or the figure has no instances. */
bool instances_begin(struct view_trace *trace, const char *name);

/* Writes the series as JSON into trace->out: {"figure", "unit", "series": [{"subject", "n", "max", ...}]}. False: the
 * report is not finished, or there is no memory. */
bool instances_end(struct view_trace *trace);

/*
 * Computes the smallest and largest value of the instances that end in each of `count` columns of equal width. series:
 * its number, or INSTANCES_ALL. Returns an array of doubles, valid until the next call: `count` smallest values,
 * `count` largest values, `count` numbers of instances. NULL: no memory, or no instances were made.
 */
const double *instances_columns(struct view_trace *trace, uint32_t series, double from, double to, uint32_t count);

/*
 * Returns the instance of the series that ends from `from` to `to`, both inclusive, and whose value is nearest to
 * `value`. INSTANCES_NONE: there is no such instance.
 */
uint32_t instances_near(const struct view_trace *trace, uint32_t series, double from, double to, double value);

/* Returns the next instance of the series after the instance `at`, in the order of time, or the instance before it. at:
 * INSTANCES_NONE: the first, or the last. */
uint32_t instances_step(const struct view_trace *trace, uint32_t series, uint32_t at, bool forward);

/* Writes an instance as JSON into trace->out, or null. */
void instances_answer(struct view_trace *trace, uint32_t index);

/* Writes the instances of the series that end from `from` to `to` as CSV into trace->out. */
void instances_csv(struct view_trace *trace, uint32_t series, double from, double to);

/* Drops the instances. Call it before view_trace_free(). */
void instances_forget(struct view_trace *trace);

#endif
