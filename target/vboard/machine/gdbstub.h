/* SPDX-License-Identifier: MIT */
/*
 * QEMU's gdb stub, for three actions that QEMU's monitor cannot do: step, write a register, write to a device. The stub
 * stops the machine when the stub starts and at each request. So the board starts the stub only when it is needed, and
 * uses it only while the machine is stopped.
 */
#ifndef VBOARD_GDBSTUB_H
#define VBOARD_GDBSTUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gdbstub {
    int fd;
    bool awake;
};

/* Negotiates the protocol. Call it after the monitor has started the stub; the machine is stopped. */
bool gdbstub_greet(struct gdbstub *gdb);

bool gdbstub_step(struct gdbstub *gdb);
/* Writes a register. `number` is as gdb counts: 0 to 15, 25 = xPSR. */
bool gdbstub_write_register(struct gdbstub *gdb, unsigned number, uint32_t value);
/* Writes physical memory, including devices. The core's private peripherals are out of reach. */
bool gdbstub_write_memory(struct gdbstub *gdb, uint32_t address, const uint8_t *buffer, uint32_t length);

#endif
