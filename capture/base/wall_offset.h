/* SPDX-License-Identifier: MIT */
/* How far the host's clock is from the monotonic one, although a process may be stopped between looking at both. */
#ifndef TXTAP_CAPTURE_BASE_WALL_OFFSET_H
#define TXTAP_CAPTURE_BASE_WALL_OFFSET_H

#include <stdint.h>

/* wall_us() - now_us(), in microseconds, off by at most half of the shortest of a few looks. */
uint64_t wall_offset_us(uint64_t (*wall_us)(void), uint64_t (*now_us)(void));

#endif
