/* SPDX-License-Identifier: MIT */
/* A J-Link: its commands on USB. It clocks the bits of swd_target.h. SWD only: neither JTAG nor SWO. Source: SEGGER,
 * J-Link USB Protocol (RM08001-R2). */
#ifndef USBPROBE_JLINK_FRONT_H
#define USBPROBE_JLINK_FRONT_H

#include "swd_target.h"
#include "usb_probe.h"

#define JLINK_FRONT_MEMORY  8192
#define JLINK_FRONT_COMMAND (4 + 2 * 8192) /* longest command: 65535 clocks */

struct jlink_front {
    struct swd_target target;
    size_t packet_bytes;
    uint32_t memory; /* size of its memory, as it reports it */
    uint32_t room;   /* length of the longest swd_io that it does; a longer one ends with the status 6 */
    bool needs_register, registered; /* without being registered it answers only questions about itself */
    uint8_t interface;
    bool reset_high;
    size_t used; /* bytes of `command` so far */
    uint8_t command[JLINK_FRONT_COMMAND];
    uint64_t commands[256]; /* number of commands so far, by their number */
};

/* Returns a model of the probe, which stalls at an unknown command. Many answers may wait to be read. */
struct probe_model jlink_front_init(struct jlink_front *front, const struct usb_identity *identity,
                                    const struct debug_target *target);

/* Writes the counts so far, as cmsis_dap_list(): first the commands, then the requests on the wire. */
void jlink_front_list(const struct jlink_front *front, char *text, size_t text_bytes);

#endif
