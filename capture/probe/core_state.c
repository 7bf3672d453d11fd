/* SPDX-License-Identifier: MIT */
/* Reads the debug registers of a Cortex-M core. */
#include "probe/core_state.h"

#include <stdint.h>

#include "probe/source_base.h"

#define CPUID     0xE000ED00u
#define DHCSR     0xE000EDF0u
#define DEMCR     0xE000EDFCu
#define HALTED    0x00020000u /* DHCSR.S_HALT */
#define LOCKED_UP 0x00080000u /* DHCSR.S_LOCKUP */
#define WAS_RESET 0x02000000u /* DHCSR.S_RESET_ST; a read clears it */
#define TRCENA    0x01000000u
#define PART_MASK 0xFFF0u

static bool read_register(struct txtap_source source, uint32_t address, uint32_t *value)
{
    uint8_t bytes[4];

    if (memory_read(source, address, bytes, sizeof bytes) != TXTAP_OK)
        return false;
    *value = memory_word(bytes, TXTAP_LITTLE);
    return true;
}

/* While the core is held in reset, S_RESET_ST is set again after each read. */
enum core_state core_state_read(struct txtap_source source)
{
    uint32_t status;

    if (!read_register(source, DHCSR, &status))
        return CORE_UNKNOWN;
    if ((status & WAS_RESET) && !read_register(source, DHCSR, &status))
        return CORE_UNKNOWN;
    if (status & WAS_RESET)
        return CORE_IN_RESET;
    if (status & HALTED)
        return CORE_HALTED;
    return status & LOCKED_UP ? CORE_LOCKED_UP : CORE_RUNS;
}

bool core_has_no_cycles(struct txtap_source source)
{
    uint32_t part, control;

    if (!read_register(source, CPUID, &part) || !read_register(source, DEMCR, &control) || (control & TRCENA))
        return false;
    part &= PART_MASK;
    return part != 0xC200 && part != 0xC210 && part != 0xC600 && part != 0xD200; /* M0, M1, M0+, M23 */
}
