/* SPDX-License-Identifier: MIT */
/*
 * Chips for which the generic configuration fails, because the core's access port or the way to the debug port is
 * unusual. A constant table. Only the option --chip identifies the chip. The ids that can be read before the debug port
 * answers do not identify the chip, and neither does an ELF file.
 */
#ifndef TXTAP_CAPTURE_PROBE_CHIP_H
#define TXTAP_CAPTURE_PROBE_CHIP_H

#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"

#define CHIP_CORES_MAX 2

/* Which probes can reach the chip. */
enum chip_reach {
    CHIP_ANY_PORT,  /* any probe that is not limited to access port 0 */
    CHIP_NO_STLINK, /* access ports with long addresses (ADIv6), which an ST-Link does not support */
    CHIP_MULTIDROP, /* several debug ports on one SWD bus: neither ST-Link nor JTAG */
    CHIP_JTAG,      /* only JTAG, with OpenOCD's file for the chip; the row has no cores */
};

struct chip_core {
    const char *target;      /* OpenOCD's name of the core */
    const char *access_port; /* "": the first AHB-AP */
    const char *dap;         /* additional words for OpenOCD's "dap create"; or "" */
    uint32_t target_select;  /* with CHIP_MULTIDROP: TARGETSEL of the core's debug port; must agree with `dap` */
};

struct chip {
    const char *pattern; /* pattern of chip names in small letters, with * ? [...] */
    enum chip_reach reach;
    struct chip_core cores[CHIP_CORES_MAX]; /* the first is the default; unused elements have the name NULL */
    const char *source;
};

/* Returns a row; the order has no meaning. NULL after the last row. */
const struct chip *chip_row(size_t index);

/* Finds a chip. `name` is the user's name of the chip, in capital or small letters. NULL: the generic configuration
 * fits, or the chip is unknown. */
const struct chip *chip_find(const char *name);

/*
 * Finds the core that the user wants. chip: its name, or NULL. target: OpenOCD's name of the core; NULL: the first
 * core. *core: NULL if the chip has no row. TXTAP_ERROR_USAGE: the chip has no such core.
 */
enum txtap_status chip_core_find(const char *chip, const char *target, const struct chip_core **core,
                                 struct error *error);

#endif
