/* SPDX-License-Identifier: MIT */
/* The smaller and the larger of two counts. */
#ifndef TXTAP_DECODER_BASE_MIN_MAX_H
#define TXTAP_DECODER_BASE_MIN_MAX_H

#include <stdint.h>

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
