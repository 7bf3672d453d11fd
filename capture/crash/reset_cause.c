/* SPDX-License-Identifier: MIT */
/*
 * Only resets that a fault causes are here: watchdogs, forbidden low-power modes, lockup. Power-on, the reset pin and
 * software are normal. Sources: ST's reference manuals (RCC_CSR, RCC_CSR2, RCC_RSR), Nordic's product specifications of
 * nRF51 and nRF52 (POWER.RESETREAS).
 */
#include "crash/reset_cause.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>

struct reset_bit {
    uint8_t number;
    const char *text; /* NULL ends the list */
};

static const struct reset_bit stm32[] = {
    {29, "the independent watchdog"}, {30, "the window watchdog"}, {31, "a forbidden low-power mode"}, {0, NULL}};
static const struct reset_bit stm32h7[] = {
    {26, "the independent watchdog"}, {28, "the window watchdog"}, {30, "a forbidden low-power mode"}, {0, NULL}};
static const struct reset_bit nrf[] = {{1, "the watchdog"}, {3, "a lockup of the core"}, {0, NULL}};

/* The first row that matches counts. */
static const struct reset_cause rows[] = {
    {"stm32f[013]*", "RCC_CSR", 0x40021024, stm32},
    {"stm32f[247]*", "RCC_CSR", 0x40023874, stm32},
    {"stm32l0*", "RCC_CSR", 0x40021050, stm32},
    {"stm32l1*", "RCC_CSR", 0x40023834, stm32},
    {"stm32l[45]*", "RCC_CSR", 0x40021094, stm32},
    {"stm32g4*", "RCC_CSR", 0x40021094, stm32},
    {"stm32g0*", "RCC_CSR2", 0x40021060, stm32},
    {"stm32c0*", "RCC_CSR2", 0x40021060, stm32},
    {"stm32wba*", "", 0, NULL},
    {"stm32wb*", "RCC_CSR", 0x58000094, stm32},
    {"stm32wl*", "RCC_CSR", 0x58000094, stm32},
    {"stm32u5*", "RCC_CSR", 0x46020CF4, stm32},
    {"stm32h5*", "RCC_RSR", 0x44020CF4, stm32},
    {"stm32h7[rs]*", "", 0, NULL},
    {"stm32h7*", "RCC_RSR", 0x580244D0, stm32h7},
    {"nrf5[12]*", "RESETREAS", 0x40000400, nrf},
};

const struct reset_cause *reset_cause_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof rows / sizeof *rows; i++)
        if (fnmatch(rows[i].pattern, name, FNM_CASEFOLD) == 0)
            return rows[i].address != 0 ? &rows[i] : NULL;
    return NULL;
}

size_t reset_cause_text(const struct reset_cause *cause, uint32_t before, uint32_t now,
                        char text[static RESET_CAUSE_TEXT_BYTES])
{
    int length = 0;

    for (const struct reset_bit *bit = cause->bits; bit->text != NULL; bit++)
        if ((now & ~before) >> bit->number & 1)
            length += snprintf(text + length, RESET_CAUSE_TEXT_BYTES - (size_t)length, "%s%s",
                               length == 0 ? "reset by " : " or ", bit->text);
    if (length > 0)
        length +=
            snprintf(text + length, RESET_CAUSE_TEXT_BYTES - (size_t)length, " (%s 0x%08" PRIx32 ")", cause->name, now);
    return (size_t)length;
}
