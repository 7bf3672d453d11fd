/* SPDX-License-Identifier: MIT */
/* Reads both clocks a few times, and takes the fastest reading. */
#include "base/wall_offset.h"

#define CLOSE_US 10 /* most hosts read both clocks in less */
#define READINGS 20

uint64_t wall_offset_us(uint64_t (*wall_us)(void), uint64_t (*now_us)(void))
{
    uint64_t least = UINT64_MAX, offset = 0;

    for (int i = 0; i < READINGS && least > CLOSE_US; i++) {
        uint64_t before = now_us(), wall = wall_us(), took = now_us() - before;

        if (took < least) {
            least = took;
            offset = wall - (before + took / 2);
        }
    }
    return offset;
}
