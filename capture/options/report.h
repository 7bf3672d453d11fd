/* SPDX-License-Identifier: MIT */
/* The options of txtap report and txtap why: which parts of the trace to analyse, and which figures to show. */
#ifndef TXTAP_CAPTURE_OPTIONS_REPORT_H
#define TXTAP_CAPTURE_OPTIONS_REPORT_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/option_values.h"
#include "txtap/analysis.h"
#include "txtap/check.h"

enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_CSV, REPORT_HTML, REPORT_DOT, REPORT_SQLITE };

#define REPORT_INSTANCES_MAX 16

struct report_options {
    enum report_format format;
    uint32_t sections;  /* a set of TXTAP_SECTION_BIT(); 0: all sections */
    bool all;           /* text: also show all figures */
    bool flow;          /* show the flow instead of figures */
    const char *thread; /* a pattern (pattern.h) or an address, or NULL */
    bool any_wait_ends_job;
    struct txtap_between between[TXTAP_ANALYSIS_BETWEEN_MAX];
    uint32_t between_count;
    struct txtap_nominal_period periods[TXTAP_ANALYSIS_PERIODS_MAX]; /* ticks: set when the tick rate is known */
    const char *period_times[TXTAP_ANALYSIS_PERIODS_MAX];
    uint32_t period_count;
    const char *locks[TXTAP_ANALYSIS_LOCKS_MAX]; /* patterns of semaphores */
    uint32_t lock_count;
    bool histograms;
    struct txtap_check instances[REPORT_INSTANCES_MAX]; /* figures of --instances; their limits have no meaning */
    uint32_t instance_count;                            /* 0: no --instances */
    const char *bucket;                                 /* as typed, or NULL */
    uint64_t bucket_ticks;
    const char *batch;        /* path of a folder with many traces, or NULL */
    struct txtap_check where; /* the condition for the traces of `batch`, if has_where */
    bool has_where;
    const char *baseline;  /* path of a file to compare with, or NULL */
    const char *from, *to; /* as typed, or NULL */
    uint64_t from_ticks, to_ticks;
    const char *figure; /* why: the figure to explain, or NULL */
    bool has_event;     /* why: event is given */
    uint64_t event;
    const char *at; /* why: as typed, or NULL */
    uint64_t at_ticks;
};

extern const struct argp_option report_option_rows[];
extern const struct argp_option report_analysis_rows[]; /* options that txtap check also has */

extern const struct argp_option why_option_rows[]; /* options of txtap why */

/* Parses an option of these tables. At ARGP_KEY_END, when tick_hz is known, converts times to ticks. */
error_t report_option(struct report_options *options, struct option_rate rate, int key, char *text,
                      struct argp_state *state);

#endif
