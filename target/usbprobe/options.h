/* SPDX-License-Identifier: MIT */
/* The command line of txtap-usbprobe, checked, with every default filled in. */
#ifndef USBPROBE_OPTIONS_H
#define USBPROBE_OPTIONS_H

#include "usb.h"

#include <stdbool.h>

#define BOARDS_MAX 4

struct options {
    struct usb_identity identity;
    const char *kind, *serial; /* as given by the user; the identity contains them too */
    uint16_t packet_bytes;
    uint16_t board_ports[BOARDS_MAX]; /* a probe for each board, at ports 1, 2, ... of the bus */
    size_t boards;
    uint8_t raw_serial[USB_RAW_SERIAL_BYTES];
    unsigned packets_max; /* queued commands of a CMSIS-DAP */
    unsigned access_port; /* properties of the CMSIS-DAP's target; target_select is debug_port.h's `select` */
    uint32_t target_select;
    uint32_t dpidr; /* DPIDR of the target; 0: debug_port.h's default */
    bool unplugged; /* initial state */
    uint16_t control_port;
    const char *control_port_file, *environment_file; /* paths of files to write; NULL: no such file */
};

/* Strings point into argv. Prints and exits by itself on --help or a usage error (status 2). */
void options_parse(struct options *options, int argc, char **argv);

#endif
