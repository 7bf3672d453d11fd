/* SPDX-License-Identifier: MIT */
/*
 * The currently active faults. fault_run.c sets them. Each part of the board checks for the faults that would appear in
 * the same part of a real probe or board.
 */
#ifndef VBOARD_TROUBLE_H
#define VBOARD_TROUBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "fault.h"

struct trouble {
    bool active[FAULT_KINDS];
    bool once[FAULT_KINDS];     /* the fault ends with the next access that it affects */
    uint64_t hits[FAULT_KINDS]; /* accesses and commands affected since the board started */
    bool link_lost;             /* the debug port has lost power since the ST-Link entered SWD */
};

/* Returns the ST-Link's status for an active fault, else STLINK_OK. Ends a fault that lasts one access. Call it before
 * each use of the wire. */
uint8_t trouble_on_wire(struct trouble *trouble);

#endif
