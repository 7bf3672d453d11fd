/* SPDX-License-Identifier: MIT */
/* How samples spread: those that are complete, and those of which an end is not in the trace. */
#ifndef TXTAP_DECODER_ANALYSIS_SPREAD_H
#define TXTAP_DECODER_ANALYSIS_SPREAD_H

#include "analysis/histogram.h"

/* Empty when all of it is 0. */
struct spread {
    struct histogram samples;
    uint64_t min_ticks, max_ticks; /* when the extremes ended */
    uint64_t cut;                  /* pieces without start or end */
    uint64_t cut_longest;
    uint64_t cut_seq, cut_ticks; /* where the longest ended */
};

void spread_add(struct spread *spread, struct histogram_pool *pool, uint64_t value, uint64_t seq, uint64_t ticks);

/* A piece that lasted at least value. */
void spread_cut(struct spread *spread, uint64_t value, uint64_t seq, uint64_t ticks);

#endif
