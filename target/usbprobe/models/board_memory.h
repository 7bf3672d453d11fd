/* SPDX-License-Identifier: MIT */
/* The board's memory and its SWD line, through ST-Link commands: the functions that a debug port needs. */
#ifndef USBPROBE_BOARD_MEMORY_H
#define USBPROBE_BOARD_MEMORY_H

#include "board_access.h"
#include "debug_port.h"

struct debug_target board_memory_target(const struct board_access *board);

#endif
