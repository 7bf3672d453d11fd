/* SPDX-License-Identifier: MIT */
/* All figures of a trace in a list that tests can search. */
#ifndef TXTAP_TESTS_FIGURE_LIST_H
#define TXTAP_TESTS_FIGURE_LIST_H

#include "txtap/analysis.h"

#define FIGURES_MAX         4096
#define FIGURE_LIST_BUCKETS 33 /* maximum number of buckets */

struct figure_list {
    size_t count;
    uint64_t first_seq; /* number of the first event of the file */
    struct txtap_figure figures[FIGURES_MAX];
};

/* Analyses a complete .trx file, without a known tick_hz. Fails the test if the file cannot be read. */
void figure_list_of_file(struct figure_list *list, const char *path);

/* Creates an analysis with little memory, which suffices for small limits. */
struct txtap_analysis *figure_list_analysis(const struct txtap_analysis_options *options);

/* Ends the analysis, copies its figures to the list, and frees it. Fails the test if the instances of the last created
 * analysis differ from its figures. */
void figure_list_end(struct figure_list *list, struct txtap_analysis *analysis);

/* Returns true if the subject has this text, such as "-", "0x1234", "isr:22", "event:4096" or "core:0". "*" matches any
 * subject. */
bool figure_subject_is(const struct txtap_subject *subject, const char *text);

#endif
