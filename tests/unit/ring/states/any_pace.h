/* SPDX-License-Identifier: MIT */
/*
 * The reader asks ring_pace_choose() which entries to read, and must be correct for any answer. For a pace from
 * any_pace(), ring_pace_choose() returns the answer that the search chose. For any other pace the real function runs.
 */
#ifndef TXTAP_TESTS_RING_STATES_ANY_PACE_H
#define TXTAP_TESTS_RING_STATES_ANY_PACE_H

#include "txtap/ring.h"

/* Number of combinations of evidence: one bit each for recover, again and presume of struct ring_pace_choice. */
#define ANY_EVIDENCE 8

/* Makes a pace with a given answer: leave out the `left_out` oldest entries, and read at most `read` entries. */
struct ring_pace any_pace(unsigned left_out, unsigned read, unsigned evidence);

#endif
