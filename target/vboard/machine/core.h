/* SPDX-License-Identifier: MIT */
/*
 * The private peripheral bus as a debugger sees it: the debug registers that control the core (DHCSR, DEMCR, DCRSR,
 * AIRCR), which QEMU lacks, and a table of identification and debug-unit words. Turns a debugger's writes into
 * actions of the machine.
 */
#ifndef VBOARD_CORE_H
#define VBOARD_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"

#define CORE_WORDS_MAX 96

/* Counts of a debugger's actions on the core, and of the firmware's own resets. */
struct core_counts {
    uint64_t halts;
    uint64_t resumes;
    uint64_t steps;
    uint64_t resets;
    uint64_t target_resets;
};

struct core {
    struct machine *machine;
    void (*before_reset)(void *self); /* called with the machine stopped; may be NULL */
    void *before_reset_self;
    uint32_t flash_kib;
    struct core_counts counts;
    uint32_t control; /* DHCSR bits 0 to 15 */
    uint32_t demcr;
    enum trcena trcena;
    uint32_t dcrdr;
    bool reset_happened;    /* DHCSR.S_RESET_ST, until it is read */
    bool retired;           /* DHCSR.S_RETIRE_ST, until it is read */
    bool in_reset;          /* nRST is held low */
    bool reset_by_debugger; /* a debugger pulled nRST low; only then may a debugger release nRST */
    bool stm32_ids;
    unsigned guest_resets_known;
    struct core_word {
        uint32_t address;
        uint32_t value;
        uint32_t writable; /* bits that a write changes */
    } words[CORE_WORDS_MAX];
    size_t words_count;
};

/* Initializes a core; call it before the machine runs. flash_kib is the content of the flash size word. */
void core_init(struct core *core, struct machine *machine, bool stm32_ids, uint32_t flash_kib, enum trcena trcena);

/* Returns true for addresses that this module handles. */
bool core_holds(const struct core *core, uint32_t address);

/* Reads one aligned word. */
uint32_t core_read(struct core *core, uint32_t address);

/* Writes one aligned word. False: the machine did not obey, or the register cannot be written. */
bool core_write(struct core *core, uint32_t address, uint32_t value);

/* Returns true for a debug register of the core or of a debug unit (ITM, DWT, FPB, TPIU, DBGMCU), and false for a
 * system register of the firmware (NVIC, SysTick, SCB). */
bool core_is_debug(uint32_t address);

bool core_halt(struct core *core);
bool core_run(struct core *core);
bool core_step(struct core *core); /* one instruction; the core must be halted */
bool core_reset(struct core *core);

/* Pull nRST low (the machine is held in reset) and release it (the machine starts, or halts if DEMCR asks for it). */
bool core_hold_reset(struct core *core);
bool core_release_reset(struct core *core);

/* Read and write core registers by DCRSR number; false unless the core is halted. */
bool core_read_register(struct core *core, unsigned number, uint32_t *value);
bool core_write_register(struct core *core, unsigned number, uint32_t value);

/*
 * Change the core by events that the debugger did not cause. These events are not counted as the debugger's actions. A
 * reset of the board holds the machine in reset until core_leave_reset(). When power returns, debug registers have
 * their power-on values, and the core is still held in reset.
 */
bool core_enter_reset(struct core *core);
bool core_leave_reset(struct core *core);
void core_power_on(struct core *core);
/* Halt the core (false if it is halted already) and resume it, as another debugger does. */
bool core_halt_for_other(struct core *core);
bool core_run_for_other(struct core *core);

/* Detects resets that the firmware made. Call it after the machine's events have been taken. */
void core_notice_resets(struct core *core);

#endif
