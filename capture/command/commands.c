/* SPDX-License-Identifier: MIT */
/* The table of commands. */
#include "command/commands.h"

const struct command *const commands[] = {
    &tail_command,   &record_command, &snapshot_command, &info_command, &decode_command,
    &report_command, &top_command,    &probes_command,   NULL,
};
