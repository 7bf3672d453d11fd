/* SPDX-License-Identifier: MIT */
/* The active faults, as an ST-Link reports them. */
#include "trouble.h"
#include "stlink_status.h"

static const struct {
    enum fault_kind kind;
    uint8_t status;
} on_wire[] = {
    {FAULT_SWD_FAULT, STLINK_AP_FAULT},
    {FAULT_SWD_WAIT, STLINK_AP_WAIT},
    {FAULT_SWD_PARITY, STLINK_AP_PARITY},
};

uint8_t trouble_on_wire(struct trouble *trouble)
{
    if (trouble->active[FAULT_POWER_CYCLE] || trouble->link_lost) {
        trouble->hits[FAULT_POWER_CYCLE]++;
        return STLINK_DP_ERROR;
    }
    for (size_t i = 0; i < sizeof on_wire / sizeof *on_wire; i++) {
        enum fault_kind kind = on_wire[i].kind;
        if (!trouble->active[kind])
            continue;
        trouble->hits[kind]++;
        if (trouble->once[kind])
            trouble->active[kind] = false;
        return on_wire[i].status;
    }
    return STLINK_OK;
}
