/* SPDX-License-Identifier: MIT */
/*
 * The reader predicts the writer's speed, and must be right for any prediction. So the functions of txtb_pace.h return
 * chosen values for a pace that any_pace() made; for any other pace they are the real ones.
 */
#ifndef TXTAP_TESTS_RING_STATES_ANY_PACE_H
#define TXTAP_TESTS_RING_STATES_ANY_PACE_H

#include "txtap/ring.h"

struct txtap_ring_pace any_pace(uint64_t fit, uint64_t predicted);

#endif
