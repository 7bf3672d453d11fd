/* SPDX-License-Identifier: MIT */
/* A substitute for a board. */
#include "fake_board.h"

#include <string.h>

static bool run(void *self, const uint8_t command[static BOARD_COMMAND_BYTES], const uint8_t *data, size_t data_bytes,
                uint8_t *answer, size_t answer_bytes)
{
    struct fake_board *board = self;
    if (board->gone)
        return false;
    board->runs++;
    memcpy(board->before, board->command, BOARD_COMMAND_BYTES);
    memcpy(board->command, command, BOARD_COMMAND_BYTES);
    if (data_bytes)
        memcpy(board->data, data, data_bytes);
    board->data_bytes = data_bytes;
    board->answer_bytes = answer_bytes;
    for (size_t i = 0; i < answer_bytes; i++)
        answer[i] = i ? (uint8_t)i : board->status;
    return true;
}

struct board_access fake_board_access(struct fake_board *board)
{
    board->status = FAKE_BOARD_STATUS;
    return (struct board_access){board, run};
}
