/* SPDX-License-Identifier: MIT */
/*
 * What the debug wire costs: SWD clocks counted by a formula, and, for an imitated probe, the time they take. A
 * read of N words in a block is (N + 2) x 46 clocks: 8 request, 1 turnaround, 3 acknowledge, 33 data, 1 turnaround
 * each, one more transfer for the address and one for the posted result.
 */
#ifndef VBOARD_WIRE_H
#define VBOARD_WIRE_H

#include <stdint.h>

#include "options.h"

struct wire {
    uint32_t swd_khz;       /* 0: no delay */
    uint32_t requested_khz; /* what the debugger asked for; 0: as fast as the probe can */
    uint32_t command_us;
    uint32_t extra_us; /* extra time of each command, by a fault; not counted in busy_ns */
    uint64_t swd_clocks;
    uint64_t commands;
    uint64_t busy_ns;    /* time the probe was at work, by the model */
    int64_t deadline_ns; /* of the command under way, CLOCK_MONOTONIC */
};

void wire_init(struct wire *wire, const struct probe *probe);

/* The clock in effect: the slower of the probe's and the requested one; 0: no delay. */
uint32_t wire_khz(const struct wire *wire);

/* A command begins now; its fixed time is added to what wire_wait waits for. */
void wire_begin(struct wire *wire);

/* `transfers` SWD transfers of the command. */
void wire_transfer(struct wire *wire, uint32_t transfers);

/* How many transfers can go between two waits: enough for a sleep to be worth it, few enough that words of a
 * block are read at the time at which a real probe reads them. */
uint32_t wire_slice(const struct wire *wire);

/* Sleeps until a real probe would have done everything so far. */
void wire_wait(struct wire *wire);

#endif
