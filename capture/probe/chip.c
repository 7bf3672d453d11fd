/* SPDX-License-Identifier: MIT */
/* The table of chips, one row for each family. Each row has the facts of OpenOCD's file for the chip. */
#include "probe/chip.h"

#include <fnmatch.h>
#include <string.h>

#define RP2040_DAP "-dp-id 0x01002927 -instance-id "

static const struct chip rows[] = {
    {"rp2040*",
     CHIP_MULTIDROP,
     {{"rp2040.core0", "", RP2040_DAP "0", 0x01002927}, {"rp2040.core1", "", RP2040_DAP "1", 0x11002927}},
     "OpenOCD 0.12.0: target/rp2040.cfg"},
    {"rp2350*",
     CHIP_NO_STLINK,
     {{"rp2350.cm0", "0x2000", "-adiv6", 0}, {"rp2350.cm1", "0x4000", "-adiv6", 0}},
     "OpenOCD after 0.12.0: target/rp2350.cfg"},
    {"psoc6*",
     CHIP_ANY_PORT,
     {{"psoc6.cpu.cm4", "2", "", 0}, {"psoc6.cpu.cm0", "1", "", 0}},
     "OpenOCD 0.12.0: target/psoc6.cfg"},
    {"stm32h7[rs]*", CHIP_ANY_PORT, {{"stm32h7rsx.cpu0", "1", "", 0}}, "OpenOCD after 0.12.0: target/stm32h7rsx.cfg"},
    {"stm32n6*", CHIP_ANY_PORT, {{"stm32n6x.cpu", "1", "", 0}}, "OpenOCD after 0.12.0: target/stm32n6x.cfg"},
    {"stm32wba*", CHIP_ANY_PORT, {{"stm32wbax.cpu", "1", "", 0}}, "OpenOCD after 0.12.0: target/stm32wba5x.cfg"},
    {"stm32h7[45][57]*",
     CHIP_ANY_PORT,
     {{"stm32h7x.cpu0", "0", "", 0}, {"stm32h7x.cpu1", "3", "", 0}},
     "OpenOCD 0.12.0: target/stm32h7x.cfg"},
    {"stm32wl5*",
     CHIP_ANY_PORT,
     {{"stm32wlx.cpu0", "0", "", 0}, {"stm32wlx.cpu1", "1", "", 0}},
     "OpenOCD 0.12.0: target/stm32wlx.cfg"},
    {"nrf53*",
     CHIP_ANY_PORT,
     {{"nrf53.cpuapp", "0", "", 0}, {"nrf53.cpunet", "1", "", 0}},
     "OpenOCD after 0.12.0: target/nordic/nrf53.cfg"},
    {"*cc13[0-9x]*", CHIP_JTAG, {{NULL}}, "OpenOCD 0.12.0: target/ti_cc13x2.cfg"},
    {"*cc26[0-9x]*", CHIP_JTAG, {{NULL}}, "OpenOCD 0.12.0: target/ti_cc26x0.cfg"},
    {"*cc2538*", CHIP_JTAG, {{NULL}}, "OpenOCD 0.12.0: target/cc2538.cfg"},
};

const struct chip *chip_row(size_t index)
{
    return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

const struct chip *chip_find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (fnmatch(rows[i].pattern, name, FNM_CASEFOLD) == 0)
            return &rows[i];
    return NULL;
}

static enum txtap_status no_such_core(const struct chip *chip, const char *name, const char *target,
                                      struct error *error)
{
    const char *second = chip->cores[1].target;

    return failure(error, TXTAP_ERROR_USAGE, "%.40s has no core '%.60s'\ngive --target %s%s%s", name, target,
                   chip->cores[0].target, second != NULL ? ", or --target " : "", second != NULL ? second : "");
}

enum txtap_status chip_core_find(const char *chip, const char *target, const struct chip_core **core,
                                 struct error *error)
{
    const struct chip *row = chip != NULL ? chip_find(chip) : NULL;

    *core = row != NULL ? &row->cores[0] : NULL;
    if (row == NULL || target == NULL || row->cores[0].target == NULL)
        return TXTAP_OK;
    for (size_t i = 0; i < CHIP_CORES_MAX && row->cores[i].target != NULL; i++) {
        *core = &row->cores[i];
        if (strcmp((*core)->target, target) == 0)
            return TXTAP_OK;
    }
    return no_such_core(row, chip, target, error);
}
