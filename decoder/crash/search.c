/* SPDX-License-Identifier: MIT */
/*
 * Searches stacks for the frame of a fault. All words of a stack are tried, because neither stack pointer can be read
 * while the core runs. The fault's cause tells which frame it is: the instruction at pc must be able to fail like that,
 * and a register near the address of a failed access is its base.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/heapsort.h"
#include "crash/frame.h"

#define NEAR_BYTES      4096u /* largest offset of a load or store, up to rounding */
#define STACK_BYTES_MAX (256u * 1024)
#define RETTOBASE       0x800u /* of ICSR: no other exception handler was interrupted */

#define DACCVIOL    (UINT32_C(1) << 1)
#define PRECISERR   (UINT32_C(1) << 9)
#define NO_FETCH    (UINT32_C(1) << 0 | UINT32_C(1) << 8) /* IACCVIOL, IBUSERR */
#define UNDEFINSTR  (UINT32_C(1) << 16)
#define INVSTATE    (UINT32_C(1) << 17)
#define NOCP        (UINT32_C(1) << 19)
#define UNALIGNED   (UINT32_C(1) << 24)
#define DIVBYZERO   (UINT32_C(1) << 25)
#define MMARVALID   UINT32_C(0x80)
#define BFARVALID   UINT32_C(0x8000)
#define NOT_STACKED (UINT32_C(1) << 4 | UINT32_C(1) << 12) /* MSTKERR, STKERR */

struct search {
    const struct txtap_crash_memory *memory;
    const struct txtap_fault_registers *registers;
    uint32_t fpcar;
    struct txtap_crash_frame *frames;
    size_t count;
};

/* An instruction: the first halfword in the upper half. An instruction of 16 bits has 0 in the lower half. */
static bool instruction_at(const struct txtap_crash_memory *memory, uint32_t address, uint32_t *instruction)
{
    uint8_t bytes[4] = {0};

    if (address % 2 != 0 || !memory->code(memory->self, address, bytes, 2))
        return false;
    *instruction = (uint32_t)bytes_u16(bytes, TXTAP_LITTLE) << 16;
    if (*instruction >> 27 < 0x1D)
        return true;
    if (!memory->code(memory->self, address + 2, bytes + 2, 2))
        return false;
    *instruction |= bytes_u16(bytes + 2, TXTAP_LITTLE);
    return true;
}

/* Source: Armv7-M Architecture Reference Manual, A5.2 and A5.3. */
static bool loads_or_stores(uint32_t instruction)
{
    uint32_t first = instruction >> 16, op = first >> 12;

    if (first >> 11 < 0x1D) /* 16 bits */
        return (op >= 0x5 && op <= 0x9) || op == 0xC || first >> 11 == 0x9 || (first & 0xF600) == 0xB400;
    return (first & 0xFE00) == 0xE800 || (first & 0xFE00) == 0xF800 || (first & 0xFE00) == 0xEC00;
}

static bool divides(uint32_t instruction)
{
    return (instruction & UINT32_C(0xFFD000F0)) == UINT32_C(0xFB9000F0);
}

static bool is_coprocessor(uint32_t instruction)
{
    return (instruction >> 26 & 0x3B) == 0x3B; /* 111x11 */
}

bool txtap_crash_is_return(const struct txtap_crash_memory *memory, uint32_t address)
{
    uint32_t at = address & ~UINT32_C(1), instruction;

    if (!(address & 1) || at < 4)
        return false;
    /* BL, or BLX with a register */
    if (instruction_at(memory, at - 4, &instruction) && (instruction & UINT32_C(0xF800D000)) == UINT32_C(0xF000D000))
        return true;
    return instruction_at(memory, at - 2, &instruction) && (instruction & UINT32_C(0xFF87FFFF)) == UINT32_C(0x47800000);
}

static bool is_near(uint32_t base, uint32_t address)
{
    uint32_t distance = base > address ? base - address : address - base;

    return distance < NEAR_BYTES;
}

/* Returns true if the failed access has this instruction, and a stacked register is near its address. */
static bool explains_access(const struct search *search, const struct frame *frame, uint32_t instruction)
{
    const struct txtap_fault_registers *registers = search->registers;
    bool has_address = (registers->cfsr & (MMARVALID | BFARVALID)) != 0;
    uint32_t address = registers->cfsr & BFARVALID ? registers->bfar : registers->mmfar;

    if (!loads_or_stores(instruction))
        return false;
    for (size_t i = 0; i < 5 && has_address; i++)
        if (is_near(frame->r[i], address))
            return true;
    return has_address && is_near(frame->address + FRAME_BYTES, address);
}

static bool explains(const struct search *search, const struct frame *frame, bool is_code, uint32_t instruction)
{
    uint32_t cfsr = search->registers->cfsr;

    if (!frame_is_thumb(frame))
        return (cfsr & INVSTATE) != 0;
    if (!is_code)
        return (cfsr & NO_FETCH) != 0;
    return ((cfsr & (DACCVIOL | PRECISERR)) && explains_access(search, frame, instruction)) ||
           ((cfsr & DIVBYZERO) && divides(instruction)) || ((cfsr & UNALIGNED) && loads_or_stores(instruction)) ||
           ((cfsr & NOCP) && is_coprocessor(instruction)) ||
           ((cfsr & UNDEFINSTR) && instruction >> 24 == 0xDE) ||              /* UDF, 16 bits */
           ((cfsr & UNDEFINSTR) && (instruction & 0xFFF0F000) == 0xF7F0A000); /* UDF, 32 bits */
}

/* Returns true if the exception can have interrupted this context. ICSR.RETTOBASE of Armv7-M tells whether another
 * handler was interrupted. A handler uses the main stack. */
static bool is_possible(const struct search *search, const struct frame *frame, bool main)
{
    bool in_handler = frame_exception(frame) != 0;

    if (!frame_has_valid_xpsr(frame) || (in_handler && !main))
        return false;
    if (frame_exception(frame) == txtap_fault_active(search->registers))
        return false;
    return txtap_fault_is_small(search->registers) || in_handler == !(search->registers->icsr & RETTOBASE);
}

static uint32_t weight(const struct txtap_crash_frame *frame)
{
    return (frame->explained ? 4u : 0u) + (frame->extended ? 2u : 0u) + (frame->called ? 1u : 0u);
}

/* The frames below the stack pointer are old, so of two equal frames the higher is more probable. */
static bool comes_before(const void *left, const void *right)
{
    const struct txtap_crash_frame *a = left, *b = right;

    return a->weight != b->weight ? a->weight > b->weight : a->address > b->address;
}

static void keep(struct search *search, const struct txtap_crash_frame *frame)
{
    size_t worst = 0;

    if (search->count < TXTAP_CRASH_FRAMES_MAX) {
        search->frames[search->count++] = *frame;
        return;
    }
    for (size_t i = 1; i < search->count; i++)
        if (comes_before(&search->frames[worst], &search->frames[i]))
            worst = i;
    if (comes_before(frame, &search->frames[worst]))
        search->frames[worst] = *frame;
}

static void judge(struct search *search, const struct frame *frame, size_t stack, bool main)
{
    struct txtap_crash_frame found = {.address = frame->address, .stack = stack};
    uint32_t instruction = 0;
    bool is_code = instruction_at(search->memory, frame->pc, &instruction);

    if (!is_possible(search, frame, main))
        return;
    found.called = txtap_crash_is_return(search->memory, frame->lr) || (frame_is_exc_return(frame->lr) && main);
    found.explained = explains(search, frame, is_code, instruction);
    if (!(is_code && frame_is_thumb(frame)) && !(found.explained && found.called))
        return;
    found.extended = search->fpcar != 0 && search->fpcar == frame->address + FRAME_BYTES;
    found.weight = weight(&found);
    frame_registers(frame, found.extended, &found.thread);
    keep(search, &found);
}

size_t txtap_crash_frames(const struct txtap_crash_memory *memory, const struct txtap_fault_registers *registers,
                          uint32_t fpcar, const struct txtap_crash_stack *stacks, size_t stack_count,
                          struct txtap_crash_frame frames[static TXTAP_CRASH_FRAMES_MAX])
{
    struct search search = {memory, registers, fpcar & ~UINT32_C(7), frames, 0};
    struct frame frame;

    if (registers->cfsr & NOT_STACKED)
        return 0;
    for (size_t i = 0; i < stack_count; i++) {
        uint32_t start = (stacks[i].start + 7) & ~UINT32_C(7), end = stacks[i].end;

        if (end < FRAME_BYTES || start > end - FRAME_BYTES)
            continue;
        if (end - start > STACK_BYTES_MAX)
            start = (end - STACK_BYTES_MAX + 7) & ~UINT32_C(7);
        for (uint32_t at = start; at <= end - FRAME_BYTES; at += 8)
            if (frame_read(memory, at, &frame))
                judge(&search, &frame, i, stacks[i].main);
    }
    heapsort_items(frames, search.count, sizeof *frames, comes_before);
    return search.count;
}
