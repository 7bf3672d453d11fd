/* SPDX-License-Identifier: MIT */
/* Decides whether a command may go to a CMSIS-DAP probe: dap_permitted.def lists all permitted commands. Pure. */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_PERMITTED_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_PERMITTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dap_permission {
    bool is_register; /* a request in DAP_Transfer; false: a command */
    uint8_t number;
    const char *name, *why;
};

/* Returns a row, in the order of dap_permitted.def; NULL after the last row. */
const struct dap_permission *dap_permission(size_t index);

/* The only permitted value of CSW: word accesses, address increment, privileged data access. OpenOCD uses the same
 * access. */
#define DAP_CSW 0xA2000012u
/* CDBGPWRUPREQ and CSYSPWRUPREQ, the only bits of CTRL/STAT that may be set. */
#define DAP_POWER 0x50000000u

/* Checks the whole command, with all its registers and values. Returns false also if the command is cut off or too
 * long. */
bool dap_is_permitted(const uint8_t *bytes, size_t length);

/* The three sequences of DAP_SWJ_Sequence. */
enum dap_sequence { DAP_LINE_RESET, DAP_JTAG_TO_SWD, DAP_DORMANT_TO_SWD, DAP_SEQUENCES };

/* Returns the bytes of a sequence. *bits: number of clocks, a multiple of 8. Source: ARM IHI 0031, B5.2 and B5.3. */
const uint8_t *dap_sequence_bytes(enum dap_sequence which, size_t *bits);

#endif
