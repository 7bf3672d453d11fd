/* SPDX-License-Identifier: MIT */
/* The table of probes. */
#include "kinds.h"

#include <string.h>

#define VENDOR_ST     0x0483
#define SERIAL_NUMBER "545854415055534200000001"

static const struct usb_identity kinds[] = {
    {"stlink-v2-1", VENDOR_ST, 0x374B, "STMicroelectronics", "STM32 STLink", "ST-Link Debug", false, 64, 0x01, 0x81,
     0x82, SERIAL_NUMBER, NULL, false, false},
    {"stlink-v3", VENDOR_ST, 0x374F, "STMicroelectronics", "STLINK-V3", "ST-Link Debug", true, 512, 0x01, 0x81, 0x82,
     SERIAL_NUMBER, NULL, false, false},
    {"cmsis-dap", 0x2E8A, 0x000C, "Raspberry Pi", "Debug Probe (CMSIS-DAP)", "CMSIS-DAP v2 Interface", false, 64, 0x04,
     0x85, 0, SERIAL_NUMBER, NULL, false, false},
    {"cmsis-dap-v1", 0x0D28, 0x0204, "ARM", "DAPLink CMSIS-DAP", "CMSIS-DAP v1", false, 64, 0x01, 0x81, 0,
     SERIAL_NUMBER, NULL, false, true},
    {"jlink", 0x1366, 0x0101, "SEGGER", "J-Link", "BULK interface", false, 64, 0x02, 0x81, 0, "000051014439", NULL,
     true, false},
};

const struct usb_identity *kind_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].kind, name) == 0)
            return &kinds[i];
    return NULL;
}

bool kind_is_stlink(const struct usb_identity *identity)
{
    return identity->vendor == VENDOR_ST;
}
