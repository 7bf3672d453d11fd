/* SPDX-License-Identifier: MIT */
/*
 * The USB side of an ST-Link V2-1 or V3: 16 bytes of command, then data or an answer. This model knows only the lengths
 * of commands and answers, and the numbers of access ports. It passes every command to the board, which knows the
 * meaning. Source: OpenOCD
 * 0.12.0, src/jtag/drivers/stlink_usb.c.
 */
#ifndef USBPROBE_STLINK_FRONT_H
#define USBPROBE_STLINK_FRONT_H

#include "board_access.h"
#include "usb_probe.h"

struct stlink_front {
    const struct board_access *board;
    uint8_t access_port;                  /* the target's memory is behind this port, which is port 0 of the board */
    uint8_t command[BOARD_COMMAND_BYTES]; /* the last command, while its data arrives */
    size_t data_used, data_wanted;        /* data_wanted 0: the next transfer is a command */
    uint32_t misc_steps;                  /* steps of the last RW_MISC_OUT */
    uint8_t data[BOARD_DATA_MAX];
};

/*
 * Returns a model of the probe, with access port 0; the caller may then change front->access_port. `front` is large, so
 * do not put it on the stack. The model stalls at a command that is not 16 bytes long, at a command that announces more
 * than BOARD_DATA_MAX bytes, and at more data than announced. If the board is gone, there is no answer.
 */
struct probe_model stlink_front_init(struct stlink_front *front, const struct board_access *board);

#endif
