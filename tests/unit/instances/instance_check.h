/* SPDX-License-Identifier: MIT */
/* Compares the instances of an analysis with its figures. Each analysis of figure_list.h is checked. */
#ifndef TXTAP_TESTS_INSTANCE_CHECK_H
#define TXTAP_TESTS_INSTANCE_CHECK_H

#include "analysis/figure_list.h"

/* Begins to take the instances of an analysis without items. */
void instance_check_begin(struct txtap_analysis *analysis);

/* Fails the test unless each figure has exactly the count, the sum, the minimum, the maximum and the cut samples of its
 * instances. list: all figures. */
void instance_check_end(const struct figure_list *list);

/* Set it for a kernel that does not record the types of its objects: samples of such objects belong to no figure. */
extern bool instance_check_untyped;

/* Returns the number of instances since instance_check_begin(). */
uint64_t instance_check_count(void);

#endif
