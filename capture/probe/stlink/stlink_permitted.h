/* SPDX-License-Identifier: MIT */
/* Decides whether a command may go to an ST-Link: stlink_permitted.def lists all permitted commands. Pure. */
#ifndef TXTAP_CAPTURE_PROBE_STLINK_STLINK_PERMITTED_H
#define TXTAP_CAPTURE_PROBE_STLINK_STLINK_PERMITTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STLINK_COMMAND_BYTES  16
#define STLINK_READ_BYTES_MAX 6144 /* longest read of one command */

/* Steps of RW_MISC. The other steps, 1 (address of a write) and 2 (write), are never permitted. */
enum stlink_step { STLINK_STEP_READ = 3, STLINK_STEP_PORT = 5 };

#define STLINK_STEPS_MAX 65 /* in one list: the access port, then up to 64 words */

/* The bits of the debug port's ABORT that clear errors. */
#define STLINK_CLEAR_ERRORS 0x1Eu

struct stlink_permission {
    uint8_t first, second;
    const char *name, *why;
};

/* Returns a row, in the order of stlink_permitted.def; NULL after the last row. */
const struct stlink_permission *stlink_permission(size_t index);

/* Checks the whole command, and the data that follow it. */
bool stlink_is_permitted(const uint8_t command[static STLINK_COMMAND_BYTES], const uint8_t *data, size_t data_bytes);

#endif
