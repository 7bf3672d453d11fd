/* SPDX-License-Identifier: MIT */
/* Status of an ST-Link command. Source: OpenOCD 0.12.0, src/jtag/drivers/stlink_usb.c. */
#ifndef VBOARD_STLINK_STATUS_H
#define VBOARD_STLINK_STATUS_H

enum {
    STLINK_OK = 0x80,
    STLINK_FAULT = 0x81,
    STLINK_NO_IDCODE = 0x09, /* no target answers when SWD is entered */
    STLINK_AP_WAIT = 0x10,
    STLINK_AP_FAULT = 0x11,
    STLINK_AP_PARITY = 0x13,
    STLINK_DP_ERROR = 0x16, /* no acknowledge from the debug port */
    STLINK_BAD_AP = 0x1D
};

#endif
