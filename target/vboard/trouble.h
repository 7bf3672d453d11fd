/* SPDX-License-Identifier: MIT */
/*
 * What is wrong with the board at this moment. Set by fault_run.c, and looked at wherever a real probe or board would
 * show it.
 */
#ifndef VBOARD_TROUBLE_H
#define VBOARD_TROUBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "fault.h"

struct trouble {
    bool active[FAULT_KINDS];
    bool once[FAULT_KINDS];     /* the next access it hits ends it */
    uint64_t hits[FAULT_KINDS]; /* accesses and commands that it hit, since the board started */
    bool link_lost;             /* the debug port has been without power since the ST-Link entered SWD */
};

/* The wire is about to be used: the ST-Link's status if that goes wrong, else STLINK_OK. A fault of one access is then
 * over. */
uint8_t trouble_on_wire(struct trouble *trouble);

#endif
