/* SPDX-License-Identifier: MIT */
/*
 * The board: machine, memory, core and the record of what was done to them, behind two operations. An access goes
 * through here exactly once, so that it is timed, carried out and put on record together.
 */
#ifndef VBOARD_BOARD_H
#define VBOARD_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "audit.h"
#include "core.h"
#include "machine.h"
#include "memory.h"
#include "options.h"
#include "wire.h"

struct board {
    const struct options *options;
    struct machine machine;
    struct memory memory;
    struct core core;
    struct wire wire;
    struct audit audit;
    bool debug_mode; /* the ST-Link has been told to enter SWD */
};

/* Starts QEMU with the firmware and lets it run. On failure everything is undone. */
bool board_open(struct board *board, const struct options *options);
/* Writes the audit and ends QEMU. False if the audit could not be written. */
bool board_close(struct board *board);

bool board_save_audit(struct board *board);

/* `length` bytes as accesses of `width` (1, 2 or 4) bytes. The address must be a multiple of the width, the length too.
 * False is a bus fault; the buffer's content is then undefined. `fixed` reads one address again and again. */
bool board_read(struct board *board, uint32_t address, unsigned width, uint32_t length, bool fixed, uint8_t *buffer);
bool board_write(struct board *board, uint32_t address, unsigned width, uint32_t length, bool fixed,
                 const uint8_t *buffer);

#endif
