/* SPDX-License-Identifier: MIT */
/*
 * The private peripheral bus as a debugger sees it: the debug registers that control the core (DHCSR, DEMCR, DCRSR,
 * AIRCR), which QEMU does not have, and a table of identification and debug-unit words. Turns what a debugger writes
 * into what the machine does.
 */
#ifndef VBOARD_CORE_H
#define VBOARD_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"

#define CORE_WORDS_MAX 96

/* How often a debugger made the core do something, and how often the firmware reset itself. */
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
    uint32_t dcrdr;
    bool reset_happened;    /* DHCSR.S_RESET_ST, until it is read */
    bool retired;           /* DHCSR.S_RETIRE_ST, until it is read */
    bool in_reset;          /* nRST is held low */
    bool reset_by_debugger; /* and only a debugger may release it */
    bool stm32_ids;
    unsigned guest_resets_known;
    struct core_word {
        uint32_t address;
        uint32_t value;
        uint32_t writable; /* bits that a write changes */
    } words[CORE_WORDS_MAX];
    size_t words_count;
};

/* Call it before the machine runs. flash_kib is the content of the flash size word. */
void core_init(struct core *core, struct machine *machine, bool stm32_ids, uint32_t flash_kib);

/* True for the addresses that this module answers. */
bool core_holds(const struct core *core, uint32_t address);

/* One aligned word. */
uint32_t core_read(struct core *core, uint32_t address);

/* One aligned word; false if the machine did not obey or the register cannot be written. */
bool core_write(struct core *core, uint32_t address, uint32_t value);

/* A debug register of the core or a debug unit (ITM, DWT, FPB, TPIU, DBGMCU), as opposed to a system register of the
 * firmware (NVIC, SysTick, SCB). */
bool core_is_debug(uint32_t address);

bool core_halt(struct core *core);
bool core_run(struct core *core);
bool core_step(struct core *core); /* one instruction; the core must be halted */
bool core_reset(struct core *core);

/* nRST pulled low (the machine is held in reset) and released (it starts, or halts if DEMCR asks for it). */
bool core_hold_reset(struct core *core);
bool core_release_reset(struct core *core);

/* Core registers by DCRSR number; false unless halted. */
bool core_read_register(struct core *core, unsigned number, uint32_t *value);
bool core_write_register(struct core *core, unsigned number, uint32_t value);

/*
 * What happens to the core without the debugger, and is not counted as its work. A reset of the board: the machine is
 * held in it until core_leave_reset(). Power that comes back: debug registers as after power-on; the core is then still
 * held in reset.
 */
bool core_enter_reset(struct core *core);
bool core_leave_reset(struct core *core);
void core_power_on(struct core *core);
/* Another debugger halts the core (false if it is halted already) and lets it run again. */
bool core_halt_for_other(struct core *core);
bool core_run_for_other(struct core *core);

/* Call it when the machine's events have been taken: notices resets that the firmware made. */
void core_notice_resets(struct core *core);

#endif
