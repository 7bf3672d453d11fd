/* SPDX-License-Identifier: MIT */
/*
 * Chips for which the generic configuration looks in the wrong place: the core's access port, or how the debug port is
 * reached. A constant table. Only --chip says which chip it is: no id that can be read before the debug port answers
 * names it, and neither does an ELF file.
 */
#ifndef TXTAP_CAPTURE_PROBE_USB_CHIP_H
#define TXTAP_CAPTURE_PROBE_USB_CHIP_H

#include <stddef.h>
#include <stdint.h>

#define CHIP_CORES_MAX 2

/* Which probes can reach it. */
enum chip_reach {
    CHIP_ANY_PORT,  /* any that is not limited to access port 0 */
    CHIP_NO_STLINK, /* access ports with long addresses (ADIv6), which an ST-Link does not have */
    CHIP_MULTIDROP, /* several debug ports on one SWD bus: not an ST-Link, not JTAG */
    CHIP_JTAG,      /* JTAG only, and with OpenOCD's file of the chip: no cores in the row */
};

struct chip_core {
    const char *target;      /* OpenOCD's name of it */
    const char *access_port; /* "": the first AHB-AP */
    const char *dap;         /* more words for OpenOCD's "dap create"; or "" */
    uint32_t target_select;  /* with CHIP_MULTIDROP: TARGETSEL of its debug port; the same as dap says */
};

struct chip {
    const char *pattern; /* of names, in small letters, with * ? [...] */
    enum chip_reach reach;
    struct chip_core cores[CHIP_CORES_MAX]; /* the first one is the default; the others may have no name: NULL */
    const char *source;
};

/* In no particular order; NULL behind the last one. */
const struct chip *chip_row(size_t index);

/* name: what the user calls the chip, in capital or small letters. NULL: the generic configuration fits, or is unknown.
 */
const struct chip *chip_find(const char *name);

#endif
