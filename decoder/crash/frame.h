/* SPDX-License-Identifier: MIT */
/*
 * A frame that an exception of a Cortex-M core has stacked: r0 to r3, r12, lr, pc, xPSR, and with floating-point
 * registers 18 more words. Source: Armv7-M Architecture Reference Manual, B1.5.6 and B1.5.7.
 */
#ifndef TXTAP_DECODER_CRASH_FRAME_H
#define TXTAP_DECODER_CRASH_FRAME_H

#include "txtap/inner/crash.h"

#define FRAME_WORDS 8u
#define FRAME_BYTES (4u * FRAME_WORDS)

struct frame {
    uint32_t address;
    uint32_t r[5]; /* r0 to r3, r12 */
    uint32_t lr, pc, xpsr;
};

/* Reads the frame. False: RAM at this address was not read, or no frame can be there. */
bool frame_read(const struct txtap_crash_memory *memory, uint32_t address, struct frame *frame);

/* Returns true for a value of lr with which an exception handler returns. */
bool frame_is_exc_return(uint32_t lr);
bool frame_is_extended(uint32_t exc_return);

/* Returns true if the frame can be of a thread that was interrupted: it was not in an exception handler, its next
 * instruction is code, and the reserved bits of xPSR are 0. */
bool frame_is_of_thread(const struct txtap_crash_memory *memory, const struct frame *frame);

/* Returns the exception whose handler was interrupted; 0: a thread. */
unsigned frame_exception(const struct frame *frame);

/* Returns true if the reserved bits of xPSR are 0. Its bit T may be 0. */
bool frame_has_valid_xpsr(const struct frame *frame);
bool frame_is_thumb(const struct frame *frame);

/* Copies the eight registers, and computes the stack pointer before the exception. */
void frame_registers(const struct frame *frame, bool extended, struct txtap_core_thread *out);

#endif
