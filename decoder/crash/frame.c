/* SPDX-License-Identifier: MIT */
/* Reads a stacked frame, and judges whether its words can be a frame. */
#include "crash/frame.h"

#include <string.h>

#include "base/bytes.h"

#define EXTENDED_BYTES (4u * (FRAME_WORDS + 18))

/* xPSR */
#define EXCEPTION     0x1FFu
#define ALIGNED       0x200u /* a word before the frame aligns it to 8 bytes */
#define THUMB         UINT32_C(0x01000000)
#define RESERVED_BITS UINT32_C(0x00F00000)

bool frame_read(const struct txtap_crash_memory *memory, uint32_t address, struct frame *frame)
{
    uint8_t bytes[FRAME_BYTES];
    uint32_t words[FRAME_WORDS];

    if (address % 4 != 0 || !memory->ram(memory->self, address, bytes, sizeof bytes))
        return false;
    for (size_t i = 0; i < FRAME_WORDS; i++)
        words[i] = bytes_u32(bytes + 4 * i, TXTAP_LITTLE);
    *frame = (struct frame){.address = address, .lr = words[5], .pc = words[6], .xpsr = words[7]};
    memcpy(frame->r, words, sizeof frame->r);
    return true;
}

/* Armv7-M: 0xFFFFFFE1 to 0xFFFFFFFD. Armv8-M: 0xFFFFFF80 and more. */
bool frame_is_exc_return(uint32_t lr)
{
    return lr >= UINT32_C(0xFFFFFF80) && lr != UINT32_C(0xFFFFFFFF);
}

bool frame_is_extended(uint32_t exc_return)
{
    return (exc_return & 0x10) == 0;
}

unsigned frame_exception(const struct frame *frame)
{
    return frame->xpsr & EXCEPTION;
}

bool frame_has_valid_xpsr(const struct frame *frame)
{
    return (frame->xpsr & RESERVED_BITS) == 0;
}

bool frame_is_thumb(const struct frame *frame)
{
    return (frame->xpsr & THUMB) != 0;
}

bool frame_is_of_thread(const struct txtap_crash_memory *memory, const struct frame *frame)
{
    uint8_t instruction[2];

    return frame_has_valid_xpsr(frame) && frame_is_thumb(frame) && frame_exception(frame) == 0 && frame->pc % 2 == 0 &&
           memory->code(memory->self, frame->pc, instruction, sizeof instruction);
}

void frame_registers(const struct frame *frame, bool extended, struct txtap_core_thread *out)
{
    memset(out->registers, 0, sizeof out->registers);
    memcpy(out->registers, frame->r, 4 * sizeof frame->r[0]);
    out->registers[CORE_R12] = frame->r[4];
    out->registers[CORE_SP] =
        frame->address + (extended ? EXTENDED_BYTES : FRAME_BYTES) + (frame->xpsr & ALIGNED ? 4 : 0);
    out->registers[CORE_LR] = frame->lr;
    out->registers[CORE_PC] = frame->pc;
    out->registers[CORE_XPSR] = frame->xpsr;
    out->known = 0xFu | UINT32_C(1) << CORE_R12 | UINT32_C(1) << CORE_SP | UINT32_C(1) << CORE_LR |
                 UINT32_C(1) << CORE_PC | UINT32_C(1) << CORE_XPSR;
}
