/* SPDX-License-Identifier: MIT */
/* How far this host's clock of the day is from the one that never jumps. */
#include "base/wall_offset.h"

#define CLOSE_US 10 /* as close together as the clocks can be read, on most hosts */
#define LOOKS    20

uint64_t wall_offset_us(uint64_t (*wall_us)(void), uint64_t (*now_us)(void))
{
    uint64_t least = UINT64_MAX, offset = 0;

    for (int i = 0; i < LOOKS && least > CLOSE_US; i++) {
        uint64_t before = now_us(), wall = wall_us(), took = now_us() - before;

        if (took < least) {
            least = took;
            offset = wall - (before + took / 2);
        }
    }
    return offset;
}
