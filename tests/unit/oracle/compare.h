/* SPDX-License-Identifier: MIT */
/* Compares the figures of a report with the truth. */
#ifndef TXTAP_TESTS_ORACLE_COMPARE_H
#define TXTAP_TESTS_ORACLE_COMPARE_H

#include "analysis/figure_list.h"
#include "oracle/truth.h"

struct compare_options {
    bool gaps;         /* events were lost: only bounds are certain; otherwise all figures except shares are exact */
    bool exact_shares; /* all interrupts record enter and exit events */
    bool several_cores;
};

struct difference {
    char text[240];
    const char *name; /* of the figure */
};

/* Writes the first `max` differences. Returns the number of all differences. */
size_t compare(struct truth *truth, const struct figure_list *list, const struct compare_options *options,
               struct difference *differences, size_t max);

#endif
