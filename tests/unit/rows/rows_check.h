/* SPDX-License-Identifier: MIT */
/* Compares rows with the spans of all changes. */
#ifndef TXTAP_TESTS_ROWS_CHECK_H
#define TXTAP_TESTS_ROWS_CHECK_H

#include "rows/rows_walk.h"

/*
 * Compares sums, steps, columns, values and events. It does so for the whole trace and for `ranges` random ranges, with
 * columns of time and with columns of events. name: the trace's name, for messages.
 */
void rows_check(const struct txtap_rows *of, const struct walk *expected, const char *name, unsigned ranges);

#endif
