/* SPDX-License-Identifier: MIT */
/* All figures of a trace in a list that tests can search. */
#ifndef TXTAP_TESTS_FIGURE_LIST_H
#define TXTAP_TESTS_FIGURE_LIST_H

#include "txtap/analysis.h"

#define FIGURES_MAX         4096
#define FIGURE_LIST_BUCKETS 33 /* limit of the memory for buckets */

struct figure_list {
    size_t count;
    uint64_t first_seq; /* number of the first event of the file */
    struct txtap_figure figures[FIGURES_MAX];
};

/* Analyses a whole .trx file; fails the test if it cannot be read. tick_hz is not known. */
void figure_list_of_file(struct figure_list *list, const char *path);

/* Returns an analysis with memory for small limits. */
struct txtap_analysis *figure_list_analysis(const struct txtap_analysis_options *options);

/* Ends the analysis, takes its figures, frees it. */
void figure_list_end(struct figure_list *list, struct txtap_analysis *analysis);

/* Returns true if the figure's subject matches the text, such as "-", "0x1234", "isr:22", "event:4096", "core:0"; "*"
 * matches any subject. */
bool figure_subject_is(const struct txtap_subject *subject, const char *text);

#endif
