/* SPDX-License-Identifier: MIT */
/*
 * The meaning of the fault registers. Source: Armv7-M Architecture Reference Manual, B3.2 (ICSR, CCR, SHCSR, CFSR,
 * HFSR, MMFAR, BFAR); Armv8-M Architecture Reference Manual, D1.2 (UFSR.STKOF, exception 7).
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "txtap/inner/crash.h"

#define VECTACTIVE  0x1FFu /* of ICSR */
#define IMPLEMENTER 0x41u  /* Arm, in bits 24 to 31 of CPUID */

#define FORCED    UINT32_C(0x40000000) /* of HFSR */
#define MMARVALID UINT32_C(0x80)
#define BFARVALID UINT32_C(0x8000)

enum fault_place { NOWHERE, MMFAR, BFAR };

static const struct cause {
    uint32_t bit;
    const char *name, *text;
    enum fault_place place;
} cfsr_causes[] = {
    {UINT32_C(1) << 0, "IACCVIOL", "instruction fetch from forbidden memory", NOWHERE},
    {UINT32_C(1) << 1, "DACCVIOL", "access to forbidden memory", MMFAR},
    {UINT32_C(1) << 3, "MUNSTKERR", "exception return from a forbidden stack", MMFAR},
    {UINT32_C(1) << 4, "MSTKERR", "stack in forbidden memory, registers were not stacked", MMFAR},
    {UINT32_C(1) << 5, "MLSPERR", "stacking of floating-point registers in forbidden memory", MMFAR},
    {UINT32_C(1) << 8, "IBUSERR", "instruction fetch failed", NOWHERE},
    {UINT32_C(1) << 9, "PRECISERR", "access failed", BFAR},
    {UINT32_C(1) << 10, "IMPRECISERR", "an earlier write failed, its instruction is not known", NOWHERE},
    {UINT32_C(1) << 11, "UNSTKERR", "exception return from a stack that cannot be read", BFAR},
    {UINT32_C(1) << 12, "STKERR", "stack cannot be written, registers were not stacked", BFAR},
    {UINT32_C(1) << 13, "LSPERR", "stacking of floating-point registers failed", BFAR},
    {UINT32_C(1) << 16, "UNDEFINSTR", "undefined instruction", NOWHERE},
    {UINT32_C(1) << 17, "INVSTATE", "jump to an even address, or another invalid state", NOWHERE},
    {UINT32_C(1) << 18, "INVPC", "invalid exception return", NOWHERE},
    {UINT32_C(1) << 19, "NOCP", "coprocessor or floating-point unit is off or absent", NOWHERE},
    {UINT32_C(1) << 20, "STKOF", "stack pointer below its limit", NOWHERE},
    {UINT32_C(1) << 24, "UNALIGNED", "unaligned access", NOWHERE},
    {UINT32_C(1) << 25, "DIVBYZERO", "division by 0", NOWHERE},
};

static const struct cause hfsr_causes[] = {
    {UINT32_C(1) << 1, "VECTTBL", "the vector table cannot be read", NOWHERE},
    {FORCED, "FORCED", "escalated from another fault", NOWHERE},
    {UINT32_C(1) << 31, "DEBUGEVT", "breakpoint instruction without a debugger", NOWHERE},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static uint32_t all_bits(const struct cause *causes, size_t count)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < count; i++)
        bits |= causes[i].bit;
    return bits;
}

bool txtap_fault_is_small(const struct txtap_fault_registers *registers)
{
    uint32_t part = registers->cpuid >> 4 & 0xFFF;

    return part == 0xC20 || part == 0xC21 || part == 0xC60 || part == 0xD20; /* M0, M1, M0+, M23 */
}

struct txtap_fault_registers txtap_fault_registers(const uint8_t bytes[static TXTAP_FAULT_REGISTERS_BYTES])
{
    struct txtap_fault_registers registers = {
        .cpuid = bytes_u32(bytes, TXTAP_LITTLE),
        .icsr = bytes_u32(bytes + 0x04, TXTAP_LITTLE),
        .vtor = bytes_u32(bytes + 0x08, TXTAP_LITTLE),
        .ccr = bytes_u32(bytes + 0x14, TXTAP_LITTLE),
        .shcsr = bytes_u32(bytes + 0x24, TXTAP_LITTLE),
    };

    if (txtap_fault_is_small(&registers))
        return registers;
    registers.cfsr = bytes_u32(bytes + 0x28, TXTAP_LITTLE);
    registers.hfsr = bytes_u32(bytes + 0x2C, TXTAP_LITTLE);
    registers.mmfar = bytes_u32(bytes + 0x34, TXTAP_LITTLE);
    registers.bfar = bytes_u32(bytes + 0x38, TXTAP_LITTLE);
    return registers;
}

bool txtap_fault_is_cortex_m(const struct txtap_fault_registers *registers)
{
    uint32_t part = registers->cpuid >> 4 & 0xFFF;

    return registers->cpuid >> 24 == IMPLEMENTER && (part >> 8 == 0xC || part >> 8 == 0xD);
}

unsigned txtap_fault_active(const struct txtap_fault_registers *registers)
{
    unsigned exception = registers->icsr & VECTACTIVE;

    return txtap_fault_name(exception) != NULL ? exception : 0;
}

const char *txtap_fault_name(unsigned exception)
{
    static const char *const names[] = {
        [3] = "HardFault", [4] = "MemManage", [5] = "BusFault", [6] = "UsageFault", [7] = "SecureFault"};

    return exception < COUNT(names) ? names[exception] : NULL;
}

bool txtap_fault_is_new(const struct txtap_fault_registers *before, const struct txtap_fault_registers *now)
{
    return (now->cfsr & ~before->cfsr & all_bits(cfsr_causes, COUNT(cfsr_causes))) != 0 ||
           (now->hfsr & ~before->hfsr & all_bits(hfsr_causes, COUNT(hfsr_causes))) != 0;
}

/* ---- the text ---- */

struct line {
    char *text;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void put(struct line *line, const char *format, ...)
{
    size_t left = TXTAP_FAULT_TEXT_BYTES - line->used;
    va_list values;
    int length;

    va_start(values, format);
    length = vsnprintf(line->text + line->used, left, format, values);
    va_end(values);
    if (length > 0)
        line->used += (size_t)length < left ? (size_t)length : left - 1;
}

/* MMFAR and BFAR may be the same register, so each is valid only together with its bit. */
static void put_cause(struct line *line, const struct cause *cause, const struct txtap_fault_registers *registers)
{
    put(line, "%s%s (%s)", line->used > 0 ? "; " : "", cause->text, cause->name);
    if (cause->place == MMFAR && (registers->cfsr & MMARVALID))
        put(line, " at 0x%08" PRIx32, registers->mmfar);
    if (cause->place == BFAR && (registers->cfsr & BFARVALID))
        put(line, " at 0x%08" PRIx32, registers->bfar);
}

size_t txtap_fault_text(const struct txtap_fault_registers *registers, char text[static TXTAP_FAULT_TEXT_BYTES])
{
    const char *name = txtap_fault_name(txtap_fault_active(registers));
    struct line line = {text, 0}, causes;
    char list[TXTAP_FAULT_TEXT_BYTES] = "";

    causes = (struct line){list, 0};
    for (size_t i = 0; i < COUNT(hfsr_causes); i++)
        if ((registers->hfsr & hfsr_causes[i].bit) && hfsr_causes[i].bit != FORCED)
            put_cause(&causes, &hfsr_causes[i], registers);
    for (size_t i = 0; i < COUNT(cfsr_causes); i++)
        if (registers->cfsr & cfsr_causes[i].bit)
            put_cause(&causes, &cfsr_causes[i], registers);
    text[0] = '\0';
    put(&line, "%s", name != NULL ? name : "a fault whose handler does not run");
    if (registers->hfsr & FORCED)
        put(&line, ", escalated");
    put(&line, ": %s",
        causes.used > 0                   ? list
        : txtap_fault_is_small(registers) ? "this core does not tell the cause"
                                          : "the cause was cleared");
    return line.used;
}
