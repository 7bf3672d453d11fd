/* SPDX-License-Identifier: MIT */
/* How samples spread: those that are complete, and those of which an end is not in the trace. */
#ifndef TXTAP_DECODER_FIGURES_SPREAD_H
#define TXTAP_DECODER_FIGURES_SPREAD_H

#include "figures/histogram.h"

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

/*
 * Of some samples only bounds are known. They are in the spread with the most likely value.
 */
struct vague {
    uint64_t n;                  /* how many samples */
    uint64_t low_min, low_max;   /* extremes of their lower bounds, */
    uint64_t high_min, high_max; /* and of their upper ones; UINT64_MAX: none */
    uint64_t less, more;         /* how much less, or more, than in the spread all of them may be together */
    uint64_t perhaps;            /* samples that there may be, too, none above high_max; UINT64_MAX: any number */
};

void spread_add_vague(struct spread *spread, struct vague *vague, struct histogram_pool *pool, const uint64_t bounds[2],
                      uint64_t value, uint64_t seq, uint64_t ticks);

/* Only bounds are known of all samples so far, too: the upper ones are between these, and all are that much more. */
void spread_doubt(const struct spread *spread, struct vague *vague, const uint64_t high[2], uint64_t more);

/* There may be another sample, of at most that value. */
void spread_perhaps(struct vague *vague, uint64_t most);

#endif
