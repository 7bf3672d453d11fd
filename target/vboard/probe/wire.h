/* SPDX-License-Identifier: MIT */
/*
 * The cost of the debug wire: SWD clocks counted by a formula and, for an imitated probe, the time that they take. A
 * read of N words in a block is (N + 2) x 46 clocks: 8 request, 1 turnaround, 3 acknowledge, 33 data, 1 turnaround
 * for each word, and two more transfers: one for the address and one for the posted result.
 */
#ifndef VBOARD_WIRE_H
#define VBOARD_WIRE_H

#include <stdint.h>

#include "options.h"

struct wire {
    uint32_t swd_khz;       /* 0: no delay */
    uint32_t requested_khz; /* the debugger's setting; 0: as fast as the probe can */
    uint32_t command_us;
    uint32_t extra_us; /* extra time of each command, by a fault; not included in busy_ns */
    uint64_t swd_clocks;
    uint64_t commands;
    uint64_t busy_ns;    /* time the probe was busy, by the model */
    int64_t deadline_ns; /* deadline of the current command, CLOCK_MONOTONIC */
};

void wire_init(struct wire *wire, const struct probe *probe);

/* Returns the clock in effect: the slower of the probe's clock and the requested clock; 0: no delay. */
uint32_t wire_khz(const struct wire *wire);

/* Begins a command; adds its fixed time to the time that wire_wait() waits for. */
void wire_begin(struct wire *wire);

/* Adds the time of `transfers` SWD transfers of the command. */
void wire_transfer(struct wire *wire, uint32_t transfers);

/* Returns the number of transfers between two waits. It is large enough to make a sleep worthwhile, and small enough
 * that each word of a block is read at about the same time as by a real probe. */
uint32_t wire_slice(const struct wire *wire);

/* Sleeps until a real probe would have finished everything so far. */
void wire_wait(struct wire *wire);

#endif
