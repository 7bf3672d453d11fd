/* SPDX-License-Identifier: MIT */
#ifndef TXTAP_TESTS_TOP_SAMPLE_H
#define TXTAP_TESTS_TOP_SAMPLE_H

#include "txtap/inner/top.h"

void top_sample(struct txtap_top_state *state);

#endif
