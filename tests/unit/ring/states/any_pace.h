/* SPDX-License-Identifier: MIT */
/*
 * The reader asks which entries to read, and must be right for any answer. So ring_pace_choose() gives a chosen answer
 * for a pace that any_pace() made; for any other pace it is the real one.
 */
#ifndef TXTAP_TESTS_RING_STATES_ANY_PACE_H
#define TXTAP_TESTS_RING_STATES_ANY_PACE_H

#include "txtap/ring.h"

/* Kinds of evidence: a bit each for recover, again and presume of struct ring_pace_choice. */
#define ANY_EVIDENCE 8

/* So many of the oldest entries are left out, and so many read at most. */
struct ring_pace any_pace(unsigned left_out, unsigned read, unsigned evidence);

#endif
