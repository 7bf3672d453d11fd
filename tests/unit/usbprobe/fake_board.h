/* SPDX-License-Identifier: MIT */
/* A board that stores the last ST-Link command, and answers with a pattern. */
#ifndef TXTAP_TESTS_FAKE_BOARD_H
#define TXTAP_TESTS_FAKE_BOARD_H

#include "board_access.h"

#define FAKE_BOARD_STATUS 0x80

struct fake_board {
    bool gone;
    unsigned runs;
    uint8_t before[BOARD_COMMAND_BYTES], command[BOARD_COMMAND_BYTES]; /* the last two commands */
    size_t data_bytes, answer_bytes;
    uint8_t data[BOARD_DATA_MAX];
    uint8_t status; /* the first byte of each answer; the other bytes count up from 1 */
};

struct board_access fake_board_access(struct fake_board *board);

#endif
