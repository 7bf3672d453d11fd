/* SPDX-License-Identifier: MIT */
/* The control port: a line_port on 127.0.0.1. */
#ifndef USBPROBE_CONTROL_H
#define USBPROBE_CONTROL_H

#include "line_port.h"

/* Listens on `port`; 0: on a free port. */
bool control_open(struct line_port *control, uint16_t port);

#endif
