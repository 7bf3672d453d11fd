/* SPDX-License-Identifier: MIT */
/* A debug port with 16 KiB of memory at 0x20000000 and optionally DHCSR. Any other address gives a bus fault. */
#ifndef TXTAP_TESTS_FAKE_TARGET_H
#define TXTAP_TESTS_FAKE_TARGET_H

#include "debug_port.h"

#define FAKE_TARGET_START 0x20000000u
#define FAKE_TARGET_BYTES 16384u
#define FAKE_TARGET_DHCSR 0xE000EDF0u

struct fake_target {
    uint8_t memory[FAKE_TARGET_BYTES];
    unsigned reads, writes, connects, resets;
    unsigned waits; /* the next accesses get the answer SWD_WAIT: this many */
    bool has_dhcsr;
    uint32_t dhcsr[2]; /* dhcsr[0]: value of the first read; dhcsr[1]: value of later reads */
};

struct debug_target fake_target(struct fake_target *target);

#endif
