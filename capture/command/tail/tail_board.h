/* SPDX-License-Identifier: MIT */
/* Follows the recordings of a board instead of a target. */
#ifndef TXTAP_CAPTURE_COMMAND_TAIL_TAIL_BOARD_H
#define TXTAP_CAPTURE_COMMAND_TAIL_TAIL_BOARD_H

#include "options/options.h"

/* Prints the events of the board in the folder options->files[0], until Ctrl-C. Returns the exit code. */
int tail_board(const struct options *options);

#endif
