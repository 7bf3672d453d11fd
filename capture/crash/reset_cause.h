/* SPDX-License-Identifier: MIT */
/* Registers in which chips note why they were last reset. A constant table. */
#ifndef TXTAP_CAPTURE_CRASH_RESET_CAUSE_H
#define TXTAP_CAPTURE_CRASH_RESET_CAUSE_H

#include <stddef.h>
#include <stdint.h>

#define RESET_CAUSE_TEXT_BYTES 160u

struct reset_cause {
    const char *pattern; /* pattern of chip names in small letters, with * ? [...] */
    const char *name;    /* name of the register */
    uint32_t address;    /* reading it changes nothing; 0: the register of these chips is not known */
    const struct reset_bit *bits;
};

/* Returns the row of a chip. name: OpenOCD's name of the chip or of its target, such as "stm32f4x.cpu"; or NULL. NULL:
 * the chip is unknown. */
const struct reset_cause *reset_cause_find(const char *name);

/*
 * Writes the causes that are a fault and are set in `now` but not in `before`: "reset by the independent watchdog
 * (RCC_CSR 0x24000000)". Returns the length without NUL; 0: no such cause. A chip keeps the causes of earlier resets
 * until the firmware clears them, so a bit that was already set tells nothing.
 */
size_t reset_cause_text(const struct reset_cause *cause, uint32_t before, uint32_t now,
                        char text[static RESET_CAUSE_TEXT_BYTES]);

#endif
