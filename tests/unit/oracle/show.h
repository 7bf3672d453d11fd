/* SPDX-License-Identifier: MIT */
/* Prints a schedule that a test found to be wrong. */
#ifndef TXTAP_TESTS_ORACLE_SHOW_H
#define TXTAP_TESTS_ORACLE_SHOW_H

#include "oracle/schedule.h"

/* Prints the events to stderr, a line for each. lost: for each event: true: prints '-' before it; NULL: no event is
 * lost. */
void show_schedule(const struct schedule *schedule, const bool *lost);

/* Prints what each core and each thread did between two ticks of the kernel. history_begin() must have been called
 * before the schedule ran. */
void show_history(const struct schedule *schedule, uint64_t from, uint64_t to);

#endif
