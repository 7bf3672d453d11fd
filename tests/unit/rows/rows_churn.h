/* SPDX-License-Identifier: MIT */
/* Long artificial streams of changes that no target produces: everything changes all the time. */
#ifndef TXTAP_TESTS_ROWS_CHURN_H
#define TXTAP_TESTS_ROWS_CHURN_H

#include "txtap/inner/change.h"

#define CHURN_THREADS 6u
#define CHURN_OBJECTS 5u

/* Makes changes, and gives each change to all sinks. The same seed gives the same changes. */
void churn(uint64_t seed, unsigned events, const struct txtap_change_sink *sinks, size_t count);

#endif
