/* SPDX-License-Identifier: MIT */
/*
 * The commands of an ST-Link: 16 bytes in, a fixed number of bytes out. Knows their effects on the board; knows
 * nothing of sockets. Source for codes and layouts: OpenOCD 0.12.0, src/jtag/drivers/stlink_usb.c.
 */
#ifndef VBOARD_STLINK_H
#define VBOARD_STLINK_H

#include <stdint.h>

#include "board.h"
#include "stlink_status.h"

#define STLINK_COMMAND_BYTES 16
#define STLINK_DATA_MAX      10236 /* bytes after a command or in its reply: OpenOCD's buffer minus the TCP status */
#define STLINK_MISC_MAX      1227  /* steps of one RW_MISC command */

/* State of an ST-Link for one user between two commands. */
struct stlink {
    struct board *board;
    uint8_t access_status; /* status of the last memory access, for GETLASTRWSTATUS */
    uint32_t access_address;
    /* the access port's registers, for a user that drives it directly */
    uint32_t dap_select, dap_control, ap_csw, ap_tar;
    /* outcome of the last RW_MISC_OUT, fetched by RW_MISC_IN */
    uint32_t misc_count;
    uint32_t misc_values[STLINK_MISC_MAX];
    uint32_t misc_errors[STLINK_MISC_MAX];
};

/* One command, its data, and STLINK_DATA_MAX zeroed bytes for the reply, of which the caller sends as many as the
 * user requested. */
struct stlink_exchange {
    struct stlink *link;
    const uint8_t *command;
    const uint8_t *data;
    uint32_t data_length;
    uint8_t *reply;
};

void stlink_init(struct stlink *link, struct board *board);

void stlink_execute(const struct stlink_exchange *exchange);

/* Returns the USB product id of the imitated probe. */
uint16_t stlink_product_id(const struct board *board);

#endif
