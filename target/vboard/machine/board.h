/* SPDX-License-Identifier: MIT */
/*
 * The board: machine, memory, core and the record of all accesses. Each access passes once through board_read() or
 * board_write(), which measure its time, carry it out and record it.
 */
#ifndef VBOARD_BOARD_H
#define VBOARD_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "audit.h"
#include "core.h"
#include "counters.h"
#include "machine.h"
#include "memory.h"
#include "options.h"
#include "trouble.h"
#include "wire.h"

struct board {
    const struct options *options;
    struct machine machine;
    struct memory memory;
    struct core core;
    struct wire wire;
    struct audit audit;
    struct counters counters;
    struct trouble trouble;
    const char *elf;       /* path of the running firmware */
    const char *cause;     /* reason of a reset, for the record; NULL: a debugger requested it */
    uint8_t access_status; /* status of the last failed access, as an ST-Link reports it */
    bool debug_mode;       /* the ST-Link has been told to enter SWD */
    bool ended;            /* QEMU could not be started again */
};

/* Starts QEMU with the firmware and lets it run. On failure everything is undone. */
bool board_open(struct board *board, const struct options *options);
/* Writes the audit and ends QEMU. False if the audit could not be written. */
bool board_close(struct board *board);

bool board_save_audit(struct board *board);

/*
 * Produce the effects of faults on the target. A reset or loss of power ends a stretch, which is recorded with `cause`.
 * Then the machine is stopped until the function that ends the fault is called. False: QEMU did not obey, or its memory
 * cannot be written (memory.direct is false).
 */
bool board_enter_reset(struct board *board, const char *cause, bool keep_ram); /* keeps RAM, or zeroes it */
bool board_leave_reset(struct board *board);
bool board_power_off(struct board *board, const char *cause);
/* Restores power. RAM is then random, and the ST-Link has to enter SWD again. */
bool board_power_on(struct board *board, uint64_t seed);
/* Ends QEMU and starts it with another firmware, in reset, with the old contents of RAM. An unusable firmware
 * changes nothing. `elf` must outlive the board. */
bool board_flash(struct board *board, const char *cause, const char *elf);

/* Read or write `length` bytes as accesses of `width` (1, 2 or 4) bytes. Address and length must be multiples of the
 * width. fixed: true if all accesses use the same address. False: a bus fault or a fault of the wire (see
 * access_status); the buffer's content is then undefined. */
bool board_read(struct board *board, uint32_t address, unsigned width, uint32_t length, bool fixed, uint8_t *buffer);
bool board_write(struct board *board, uint32_t address, unsigned width, uint32_t length, bool fixed,
                 const uint8_t *buffer);

#endif
