/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap and tests, which link txtap_core.
 *
 * Faults of a Cortex-M core: the meaning of its fault registers, the frame that the exception stacked, the saved
 * registers of threads, and a core file for a debugger. A debug probe cannot read the registers of a running core. So
 * frames are searched for in memory, and registers that are not in memory are unknown.
 */
#ifndef TXTAP_INNER_CRASH_H
#define TXTAP_INNER_CRASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/header.h"
#include "txtap/inner/kernel.h"

/* ---- fault registers ---- */

/* The registers are in one block of memory. Reading them changes nothing. */
#define TXTAP_FAULT_REGISTERS_AT    UINT32_C(0xE000ED00)
#define TXTAP_FAULT_REGISTERS_BYTES 64u

struct txtap_fault_registers {
    uint32_t cpuid, icsr, vtor, ccr, shcsr;
    uint32_t cfsr, hfsr, mmfar, bfar; /* 0 on cores without them: Armv6-M, and Armv8-M Baseline */
};

struct txtap_fault_registers txtap_fault_registers(const uint8_t bytes[static TXTAP_FAULT_REGISTERS_BYTES]);

/* Returns true if CPUID can belong to a Cortex-M core. */
bool txtap_fault_is_cortex_m(const struct txtap_fault_registers *registers);

/* Returns true for Armv6-M and Armv8-M Baseline, which have few registers and no status of faults. */
bool txtap_fault_is_small(const struct txtap_fault_registers *registers);

/* Returns the number of the fault exception whose handler runs (3 to 7); 0: no such handler runs. */
unsigned txtap_fault_active(const struct txtap_fault_registers *registers);

/* Returns "HardFault", "BusFault", ... for an exception's number; NULL: no fault. */
const char *txtap_fault_name(unsigned exception);

/* Returns true if a status bit of a fault is set that was not set before. */
bool txtap_fault_is_new(const struct txtap_fault_registers *before, const struct txtap_fault_registers *now);

#define TXTAP_FAULT_TEXT_BYTES 320u

/* Writes the cause in one line: "HardFault, escalated: data access failed (PRECISERR) at 0x70000000". Returns the
 * length without NUL. */
size_t txtap_fault_text(const struct txtap_fault_registers *registers, char text[static TXTAP_FAULT_TEXT_BYTES]);

/* ---- memory ---- */

struct txtap_crash_memory {
    /* Copies bytes of RAM as they were read. False: not all of them were read. */
    bool (*ram)(void *self, uint32_t address, uint8_t *bytes, uint32_t length);
    /* Copies bytes of the firmware's code. False: not code. */
    bool (*code)(void *self, uint32_t address, uint8_t *bytes, uint32_t length);
    void *self;
};

/* ---- registers ---- */

enum txtap_core_register {
    CORE_R0,
    CORE_R4 = 4,
    CORE_R12 = 12,
    CORE_SP,
    CORE_LR,
    CORE_PC,
    CORE_XPSR,
    CORE_REGISTERS,
};
#define TXTAP_CORE_ALL_KNOWN ((UINT32_C(1) << CORE_REGISTERS) - 1)

/* Registers of a thread. A register is valid only if its bit is set in `known`; the others are 0. */
struct txtap_core_thread {
    uint32_t number; /* number of the thread for the debugger; not 0 */
    uint32_t known;  /* bit 1 << enum txtap_core_register */
    uint32_t registers[CORE_REGISTERS];
};

/* Writes the names of the unknown registers, such as "r4-r11, sp". Returns the length without NUL; 0: all are known. */
#define TXTAP_CORE_UNKNOWN_BYTES 80u
size_t txtap_core_unknown(const struct txtap_core_thread *thread, char text[static TXTAP_CORE_UNKNOWN_BYTES]);

/*
 * Takes the registers that a kernel saved when the thread lost the core. saved_at: address of the saved r4 to r11; 0:
 * they are on the stack. False: the stack has no context that can be right; *out is then unchanged, apart from number.
 */
bool txtap_crash_saved(const struct txtap_crash_memory *memory, const struct txtap_fault_registers *registers,
                       uint32_t stack_pointer, uint32_t saved_at, struct txtap_core_thread *out);

/* ---- the stacked frame of the fault ---- */

struct txtap_crash_stack {
    uint32_t start, end; /* multiples of 4 */
    bool main;           /* the stack of interrupts and of the start-up code */
};

struct txtap_crash_frame {
    uint32_t address;
    size_t stack;    /* index of its stack */
    bool explained;  /* its instruction or its registers explain the fault; false: the frame is only plausible */
    bool called;     /* a call is just before its return address */
    bool extended;   /* the frame has room for floating-point registers */
    uint32_t weight; /* private */
    struct txtap_core_thread thread; /* number 0 */
};

#define TXTAP_CRASH_FRAMES_MAX 16u

/*
 * Searches the stacks for the frame that the active fault exception has stacked. fpcar: the register FPCAR, or 0.
 * Returns the number of frames, at most TXTAP_CRASH_FRAMES_MAX, the most probable frame first. Frames of earlier
 * exceptions remain on a stack below its stack pointer, which is not known, so even the first frame is a guess unless
 * it is `explained`. There is no frame if the core could not stack it (MSTKERR, STKERR).
 */
size_t txtap_crash_frames(const struct txtap_crash_memory *memory, const struct txtap_fault_registers *registers,
                          uint32_t fpcar, const struct txtap_crash_stack *stacks, size_t stack_count,
                          struct txtap_crash_frame frames[static TXTAP_CRASH_FRAMES_MAX]);

/* Returns true if the address can be a return address: a call is just before it. */
bool txtap_crash_is_return(const struct txtap_crash_memory *memory, uint32_t address);

/* ---- core files ---- */

/* A piece of RAM in a core file. */
struct txtap_core_segment {
    uint32_t address, length; /* length > 0 */
};

/* Contents of a core file, apart from the bytes of RAM. note: text for people, with the unknown registers; "": no text.
 * The first thread is the debugger's current thread. */
struct txtap_core {
    const struct txtap_core_thread *threads;
    size_t thread_count;
    const struct txtap_core_segment *segments;
    size_t segment_count;
    const char *note;
    uint16_t signal; /* why the first thread stopped: 11 after a fault; 0: it did not stop */
};

#define TXTAP_CORE_SEGMENTS_MAX 4096u
#define TXTAP_CORE_THREADS_MAX  4096u

/* Returns the number of bytes before the first segment. 0: too many threads or segments, a segment is empty or passes
 * the last address, or the file would be larger than 4 GiB. */
size_t txtap_core_head_bytes(const struct txtap_core *core);

/* Writes txtap_core_head_bytes() bytes: an ELF core file for 32-bit Arm, little-endian. The bytes of all segments
 * follow in their order, without gaps. */
void txtap_core_head(const struct txtap_core *core, uint8_t *bytes);

#endif
