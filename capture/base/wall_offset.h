/* SPDX-License-Identifier: MIT */
/* The host's time of day minus its monotonic clock, even if the process is stopped between reading the two. */
#ifndef TXTAP_CAPTURE_BASE_WALL_OFFSET_H
#define TXTAP_CAPTURE_BASE_WALL_OFFSET_H

#include <stdint.h>

/* wall_us() - now_us(), in microseconds. The error is at most half of the time that the fastest of a few readings took.
 */
uint64_t wall_offset_us(uint64_t (*wall_us)(void), uint64_t (*now_us)(void));

#endif
