/* SPDX-License-Identifier: MIT */
/*
 * QEMU as a child process, and the actions of a debug probe on its machine: run, stop, reset, step, registers, and
 * accesses to devices. Plain memory is in memory.h.
 */
#ifndef VBOARD_MACHINE_H
#define VBOARD_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "gdbstub.h"
#include "options.h"
#include "qmp.h"

/* Numbers of core registers as a debugger selects them in DCRSR. */
enum {
    REGISTER_SP = 13,
    REGISTER_PC = 15,
    REGISTER_XPSR = 16,
    REGISTER_MSP = 17,
    REGISTER_PSP = 18,
    REGISTER_CONTROL = 20,
    REGISTER_FPSCR = 33,
    REGISTER_S0 = 64,
    REGISTERS_COUNT = 96
};

struct machine {
    pid_t pid;       /* 0: not running */
    int core_thread; /* QEMU's thread that executes the firmware; 0: not known yet */
    struct qmp qmp;
    struct gdbstub gdb;
    bool stopped;
    bool registers_known; /* registers[] has the values of the stopped core */
    uint32_t registers[REGISTERS_COUNT];
    int exit_status; /* from waitpid, once machine_reap returned true */
};

/* Starts QEMU, stopped before the first instruction, with the image at `firmware_fd`. On failure everything is
 * cleaned up, and one line on stderr has the reason. */
bool machine_start(struct machine *machine, const struct options *options, int firmware_fd);

/* Ends QEMU if it still runs, and waits for it. */
void machine_end(struct machine *machine);

/* Returns true if QEMU has ended by itself; exit_status is then set. Does not wait. */
bool machine_reap(struct machine *machine);

bool machine_stop(struct machine *machine);
bool machine_continue(struct machine *machine);

/* Resets the whole machine. A stopped machine stays stopped, a running machine keeps running. */
bool machine_reset(struct machine *machine);

/* Executes one instruction, with interrupts held off. The machine must be stopped, and is stopped again afterwards. */
bool machine_step(struct machine *machine);

/* Read and write core registers; the machine must be stopped. False for a register that QEMU does not show. */
bool machine_read_register(struct machine *machine, unsigned number, uint32_t *value);
bool machine_write_register(struct machine *machine, unsigned number, uint32_t value);

/* Sets *pc to the address at which the running core is, to within a block of a few instructions. Sets *asleep if the
 * core waits for an interrupt (WFI) or an event (WFE); *pc is then the address after that instruction. Does not stop
 * the machine. False: QEMU did not show the address. */
bool machine_sample_pc(struct machine *machine, uint32_t *pc, bool *asleep);

/* Make `count` accesses of `width` (1, 2, 4) bytes to a device, as the core would make them. The machine may run, but a
 * write stops it for a moment, because QEMU has no other way. False: nothing responds at this address. */
bool machine_read_device(struct machine *machine, uint32_t address, unsigned width, uint32_t count, uint8_t *buffer);
bool machine_write_device(struct machine *machine, uint32_t address, const uint8_t *buffer, uint32_t length);

#endif
