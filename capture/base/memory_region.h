/* SPDX-License-Identifier: MIT */
/* A range of target addresses. */
#ifndef TXTAP_CAPTURE_BASE_MEMORY_REGION_H
#define TXTAP_CAPTURE_BASE_MEMORY_REGION_H

#include <stdint.h>

#define MEMORY_REGIONS_MAX 32

struct memory_region {
    uint32_t start;
    uint32_t size; /* bytes; start + size <= 2^32 */
};

#endif
