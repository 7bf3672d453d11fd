/* SPDX-License-Identifier: MIT */
/*
 * The registers that a kernel has saved for a thread that does not run. The exception has stacked r0 to r3, r12, lr, pc
 * and xPSR, and the kernel has saved r4 to r11. On the stack of a thread of ThreadX, from its stack pointer on:
 *
 *   EXC_RETURN, [s16 to s31, if EXC_RETURN says that the frame is extended], r4 to r11, frame
 *
 * The ports for Armv6-M save r8 to r11 before r4 to r7. Zephyr saves r4 to r11 in the thread's struct, and the stack
 * pointer points to the frame. Sources: ThreadX, ports/cortex_m0, m4 and m33, tx_thread_schedule.S; Zephyr,
 * arch/arm/core/cortex_m/swap_helper.S.
 */
#include <string.h>

#include "base/bytes.h"
#include "crash/frame.h"

#define SAVED_WORDS    8u  /* r4 to r11 */
#define FP_SAVED_WORDS 16u /* s16 to s31 */

static bool read_words(const struct txtap_crash_memory *memory, uint32_t address, uint32_t *words, uint32_t count)
{
    uint8_t bytes[4 * SAVED_WORDS];

    if (address % 4 != 0 || !memory->ram(memory->self, address, bytes, 4 * count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        words[i] = bytes_u32(bytes + 4 * i, TXTAP_LITTLE);
    return true;
}

/* Takes r4 to r11 at `saved_at`, and the frame. */
static bool take(const struct txtap_crash_memory *memory, bool small, uint32_t saved_at, uint32_t frame_at,
                 bool extended, struct txtap_core_thread *out)
{
    uint32_t saved[SAVED_WORDS];
    struct frame frame;

    if (!read_words(memory, saved_at, saved, SAVED_WORDS) || !frame_read(memory, frame_at, &frame) ||
        !frame_is_of_thread(memory, &frame))
        return false;
    frame_registers(&frame, extended, out);
    for (uint32_t i = 0; i < SAVED_WORDS; i++)
        out->registers[CORE_R4 + (small ? (i + 4) % SAVED_WORDS : i)] = saved[i];
    out->known = TXTAP_CORE_ALL_KNOWN;
    return true;
}

bool txtap_crash_saved(const struct txtap_crash_memory *memory, const struct txtap_fault_registers *registers,
                       uint32_t stack_pointer, uint32_t saved_at, struct txtap_core_thread *out)
{
    bool small = txtap_fault_is_small(registers), extended;
    uint32_t exc_return, at = stack_pointer;

    if (saved_at != 0)
        return take(memory, false, saved_at, at, false, out);
    if (!read_words(memory, at, &exc_return, 1))
        return false;
    /* a kernel that uses no floating-point registers may save only r4 to r11 */
    if (!frame_is_exc_return(exc_return))
        return take(memory, small, at, at + 4 * SAVED_WORDS, false, out);
    at += 4;
    extended = frame_is_extended(exc_return);
    if (extended)
        at += 4 * FP_SAVED_WORDS;
    return take(memory, small, at, at + 4 * SAVED_WORDS, extended, out);
}
