/* SPDX-License-Identifier: MIT */
/*
 * Access to the board through ST-Link commands. An implementation of this interface only moves bytes.
 */
#ifndef USBPROBE_BOARD_ACCESS_H
#define USBPROBE_BOARD_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOARD_COMMAND_BYTES 16
#define BOARD_DATA_MAX      10236 /* bytes after a command, or of an answer */

struct board_access {
    void *self;
    /* Carries out a command: sends `data`, or receives an answer of exactly `answer_bytes`. False: the board is
     * gone, and the answer is undefined. */
    bool (*run)(void *self, const uint8_t command[static BOARD_COMMAND_BYTES], const uint8_t *data, size_t data_bytes,
                uint8_t *answer, size_t answer_bytes);
};

#endif
