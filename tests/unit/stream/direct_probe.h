/* SPDX-License-Identifier: MIT */
/*
 * A CMSIS-DAP v2 probe that txtap drives itself, in virtual time: its commands are those of dap_source.c, the probe
 * that carries them out is emulated, and packets on the bus, the probe's firmware and the debug wire each take their
 * time, side by side as far as several commands are under way.
 */
#ifndef TXTAP_TESTS_DIRECT_PROBE_H
#define TXTAP_TESTS_DIRECT_PROBE_H

#include "txtap/source.h"

/* What each part takes, in nanoseconds. */
struct direct_timing {
    size_t packet_bytes;
    unsigned packets;              /* that the probe queues */
    uint64_t submit_ns, finish_ns; /* the host: a command with a place for its answer, and an answer */
    uint64_t packet_ns;            /* the bus: at most packet_bytes */
    uint64_t command_ns;           /* the firmware, in addition to the wire */
    uint64_t transfer_ns;          /* the wire: 46 clocks */
};

/* The memory behind it, whose clock is the target's. */
struct direct_target {
    uint64_t (*now_ns)(void);
    void (*pass)(uint64_t ns);
    /* Time passes in it for each word. */
    void (*read)(uint32_t address, uint32_t length, uint8_t *bytes);
};

/* One at a time: it replaces what was opened before. Ends the program if it cannot be opened. */
struct txtap_source direct_probe_open(const struct direct_timing *timing, const struct direct_target *target);

/* The host's clock, which is ahead of the target's while answers wait: all that has come is in the past. */
uint64_t direct_probe_now_ns(void);

/* So far. */
uint64_t direct_probe_commands(void);

#endif
