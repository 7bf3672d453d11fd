/* SPDX-License-Identifier: MIT */
/* Which thread holds how much of which pool. A part of the analysis of pools. */
#ifndef TXTAP_DECODER_ANALYSIS_POOL_HOLDERS_H
#define TXTAP_DECODER_ANALYSIS_POOL_HOLDERS_H

#include "figures/list.h"

struct holding {
    uint64_t count, bytes;
};

struct pool_holders {
    struct table pairs; /* of pool and thread, which may be NONE */
    struct holding *of;
    uint64_t left_out;
};

void pool_holders_layout(struct pool_holders *holders, struct arena *arena, uint32_t pairs);

/* One more: +1, or one less: -1. bytes: of it; 0 of a block pool. */
void pool_holders_count(struct pool_holders *holders, uint32_t pool, uint32_t thread, int step, uint32_t bytes);

void pool_holders_list(const struct pool_holders *holders, struct list *list);

#endif
