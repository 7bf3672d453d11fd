/* SPDX-License-Identifier: MIT */
/*
 * The reader asks which entries to read, and must be correct for any answer. For a pace from any_pace(),
 * ring_pace_choose() returns a given answer. For any other pace it is the real function.
 */
#ifndef TXTAP_TESTS_RING_STATES_ANY_PACE_H
#define TXTAP_TESTS_RING_STATES_ANY_PACE_H

#include "txtap/ring.h"

/* Kinds of evidence: a bit each for recover, again and presume of struct ring_pace_choice. */
#define ANY_EVIDENCE 8

/* Returns a pace. left_out: number of the oldest entries to leave out; read: maximum number of entries to read. */
struct ring_pace any_pace(unsigned left_out, unsigned read, unsigned evidence);

#endif
