/* SPDX-License-Identifier: MIT */
/* Samples come beside the events, so the model has no changes for them. */
#ifndef TXTAP_DECODER_ANALYSIS_VALUES_H
#define TXTAP_DECODER_ANALYSIS_VALUES_H

#include "txtap/sample.h"

/* Takes a sample. state: state of values_analysis. */
void values_take(void *state, const struct txtap_sample *sample);

#endif
