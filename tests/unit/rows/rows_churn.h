/* SPDX-License-Identifier: MIT */
/* Long artificial streams in which everything changes all the time. No target produces such changes. */
#ifndef TXTAP_TESTS_ROWS_CHURN_H
#define TXTAP_TESTS_ROWS_CHURN_H

#include "txtap/inner/change.h"

#define CHURN_THREADS 6u
#define CHURN_OBJECTS 5u

/* Makes changes, and gives each of them to all sinks. Equal seeds give equal changes. */
void churn(uint64_t seed, unsigned events, const struct txtap_change_sink *sinks, size_t count);

#endif
