/* SPDX-License-Identifier: MIT */
/* txtap top --follow: the screen of a board whose recorder runs elsewhere. */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_TOP_BOARD_H
#define TXTAP_CAPTURE_COMMAND_TOP_TOP_BOARD_H

#include "options/options.h"

/* Shows the events of the board options->files[0], a folder or a subject of a NATS server, while its recorder writes
 * them. Returns an enum exit_code. */
int top_board_run(const struct options *options);

#endif
