/* SPDX-License-Identifier: MIT */
/* Compares rows with a walk over all changes. */
#ifndef TXTAP_TESTS_ROWS_CHECK_H
#define TXTAP_TESTS_ROWS_CHECK_H

#include "rows/rows_walk.h"

/*
 * Compares sums, steps, columns, values and events: of the whole trace, and of `ranges` random ranges, in columns of
 * time and of events. name: name of the trace, for messages.
 */
void rows_check(const struct txtap_rows *of, const struct walk *expected, const char *name, unsigned ranges);

#endif
