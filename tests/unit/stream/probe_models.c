/* SPDX-License-Identifier: MIT */
/*
 * What reading through debug probes costs. The figures come from counting the transfers of unmodified programs on
 * emulated probes, and from times assumed for each: 60 us a transfer on the host, packets of 53 us (full speed) or
 * 10 us (high speed), the firmware's time for a command; the wire adds 46 clocks a word.
 */
#include "stream/probe_fixture.h"

#include <stdlib.h>
#include <string.h>

/*
 * Measured on the virtual board. OpenOCD asks for the core's state before each piece. Each 4 KiB, and each part of them
 * on one side of a multiple of 4 KiB, then takes two commands: data and status.
 */
#define VBOARD_V2 200, 600, 1500, 4096, 4096, 78000, NULL
#define VBOARD_V3 200, 1250, 2300, 4096, 4096, 5700, NULL
const struct probe_model stlink_v2 = {"stlink-v2", VBOARD_V2};
const struct probe_model stlink_v3 = {"stlink-v3", VBOARD_V3};

/* SWD at 10 and 24 MHz. */
static const struct direct_timing full_speed = {64, 4, 30000, 30000, 53000, 20000, 4600};
static const struct direct_timing high_speed = {512, 4, 30000, 30000, 10000, 20000, 1917};

/*
 * OpenOCD asks for the core's state before each piece, unless its polling is off ("quiet"). An ST-Link needs two
 * commands for up to 4 KiB within one address block of 4 KiB; a CMSIS-DAP one packet for 12 words, because OpenOCD 0.12
 * sends no longer ones. Directly, pieces share packets, which are queued.
 */
const struct probe_model probe_models[] = {
    {"ST-Link V2", 60, 526, 1052 + 153, 4096, 4096, 79980, NULL},
    {"ST-Link V2, quiet", 60, 0, 1052 + 153, 4096, 4096, 79980, NULL},
    {"ST-Link V3", 60, 580, 1160 + 4, 4096, 4096, 2000, NULL},
    {"ST-Link V3, quiet", 60, 0, 1160 + 4, 4096, 4096, 2000, NULL},
    {"CMSIS-DAP full speed", 60, 190, 184, 48, 0, 4600, NULL},
    {"CMSIS-DAP full speed, quiet", 60, 0, 184, 48, 0, 4600, NULL},
    {"CMSIS-DAP high speed", 60, 130, 117, 48, 0, 1917, NULL},
    {"CMSIS-DAP high speed, quiet", 60, 0, 117, 48, 0, 1917, NULL},
    {"CMSIS-DAP full speed, direct", 0, 0, 0, 65536, 0, 7570, &full_speed},
    {"CMSIS-DAP high speed, direct", 0, 0, 0, 65536, 0, 1917, &high_speed},
    {"virtual board's stlink-v2", VBOARD_V2},
    {"virtual board's stlink-v3", VBOARD_V3},
    {NULL, 0, 0, 0, 0, 0, 0, NULL},
};

const struct probe_model *probe_models_find(const char *name)
{
    for (const struct probe_model *model = probe_models; model->name != NULL; model++)
        if (strcmp(model->name, name) == 0)
            return model;
    abort();
}
