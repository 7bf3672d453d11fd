/* SPDX-License-Identifier: MIT */
/* The words for fault registers. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/bytes.h"
#include "txtap/inner/crash.h"

#define CORTEX_M4 0x410FC241u
#define CORTEX_M0 0x410CC200u

static void says(struct txtap_fault_registers registers, const char *expected)
{
    char text[TXTAP_FAULT_TEXT_BYTES];
    size_t length = txtap_fault_text(&registers, text);

    cr_assert_str_eq(text, expected);
    cr_assert_eq(length, strlen(text));
}

Test(fault, names_the_handler_the_cause_and_the_address)
{
    says(
        (struct txtap_fault_registers){
            .cpuid = CORTEX_M4, .icsr = 3, .hfsr = 0x40000000, .cfsr = 0x8200, .bfar = 0x70000000},
        "HardFault, escalated: access failed (PRECISERR) at 0x70000000");
    says((struct txtap_fault_registers){.cpuid = CORTEX_M4, .icsr = 0x804, .cfsr = 0x82, .mmfar = 0x2000},
         "MemManage: access to forbidden memory (DACCVIOL) at 0x00002000");
    says((struct txtap_fault_registers){.cpuid = CORTEX_M4, .icsr = 6, .cfsr = 0x02010000},
         "UsageFault: undefined instruction (UNDEFINSTR); division by 0 (DIVBYZERO)");
    says((struct txtap_fault_registers){.cpuid = CORTEX_M4, .icsr = 3, .hfsr = 0x2},
         "HardFault: the vector table cannot be read (VECTTBL)");
}

Test(fault, gives_no_address_that_the_core_does_not_call_valid)
{
    says((struct txtap_fault_registers){.cpuid = CORTEX_M4, .icsr = 5, .cfsr = 0x0200, .bfar = 0x70000000},
         "BusFault: access failed (PRECISERR)");
}

Test(fault, says_if_the_cause_is_not_known)
{
    says((struct txtap_fault_registers){.cpuid = CORTEX_M4, .icsr = 3}, "HardFault: the cause was cleared");
    says((struct txtap_fault_registers){.cpuid = CORTEX_M0, .icsr = 3}, "HardFault: this core does not tell the cause");
    says((struct txtap_fault_registers){.cpuid = CORTEX_M4, .icsr = 15, .cfsr = 0x0400},
         "a fault whose handler does not run: an earlier write failed, its instruction is not known (IMPRECISERR)");
}

Test(fault, has_room_for_all_causes_together)
{
    struct txtap_fault_registers registers = {.cpuid = CORTEX_M4, .icsr = 3, .cfsr = UINT32_MAX, .hfsr = UINT32_MAX};
    char text[TXTAP_FAULT_TEXT_BYTES + 1];

    text[TXTAP_FAULT_TEXT_BYTES] = 'x';
    cr_assert_eq(txtap_fault_text(&registers, text), TXTAP_FAULT_TEXT_BYTES - 1);
    cr_assert_eq(text[TXTAP_FAULT_TEXT_BYTES - 1], '\0');
    cr_assert_eq(text[TXTAP_FAULT_TEXT_BYTES], 'x');
}

Test(fault, takes_the_registers_from_their_places)
{
    uint8_t bytes[TXTAP_FAULT_REGISTERS_BYTES];
    struct txtap_fault_registers registers;

    for (uint32_t i = 0; i < 16; i++)
        put_u32(bytes + 4 * i, TXTAP_LITTLE, 0x410FC240u + i);
    registers = txtap_fault_registers(bytes);
    cr_assert(txtap_fault_is_cortex_m(&registers));
    cr_assert_eq(registers.icsr, 0x410FC241u);
    cr_assert_eq(registers.vtor, 0x410FC242u);
    cr_assert_eq(registers.ccr, 0x410FC245u);
    cr_assert_eq(registers.shcsr, 0x410FC249u);
    cr_assert_eq(registers.cfsr, 0x410FC24Au);
    cr_assert_eq(registers.hfsr, 0x410FC24Bu);
    cr_assert_eq(registers.mmfar, 0x410FC24Du);
    cr_assert_eq(registers.bfar, 0x410FC24Eu);
    put_u32(bytes, TXTAP_LITTLE, CORTEX_M0);
    registers = txtap_fault_registers(bytes);
    cr_assert_eq(registers.cfsr | registers.hfsr | registers.mmfar | registers.bfar, 0, "a Cortex-M0 has none of them");
    put_u32(bytes, TXTAP_LITTLE, 0);
    registers = txtap_fault_registers(bytes);
    cr_assert_not(txtap_fault_is_cortex_m(&registers));
}

Test(fault, knows_which_handlers_are_of_faults)
{
    for (uint32_t exception = 0; exception < 512; exception++) {
        struct txtap_fault_registers registers = {.icsr = 0xFFFFFE00u | exception};

        cr_assert_eq(txtap_fault_active(&registers), exception >= 3 && exception <= 7 ? exception : 0);
    }
}

Test(fault, is_new_only_if_a_bit_is_added)
{
    const struct txtap_fault_registers none = {0}, old = {.cfsr = 0x8200, .hfsr = 0x40000000},
                                       more = {.cfsr = 0x8201, .hfsr = 0x40000000}, valid = {.cfsr = 0x80};

    cr_assert(txtap_fault_is_new(&none, &old));
    cr_assert(txtap_fault_is_new(&old, &more));
    cr_assert_not(txtap_fault_is_new(&old, &old));
    cr_assert_not(txtap_fault_is_new(&more, &old));
    cr_assert_not(txtap_fault_is_new(&none, &valid), "a valid address alone is no fault");
}
