/* SPDX-License-Identifier: MIT */
/*
 * How fast the writer seems to be is guessed from the past, and a guess may be anything: the reader has to be right all
 * the same. So txtb_pace.h's functions answer what they are told to, for a pace that any_pace() made; for any other
 * they are the real ones.
 */
#ifndef TXTAP_TESTS_RING_STATES_ANY_PACE_H
#define TXTAP_TESTS_RING_STATES_ANY_PACE_H

#include "txtap/ring.h"

struct txtap_ring_pace any_pace(uint64_t fit, uint64_t predicted);

#endif
