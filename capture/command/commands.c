/* SPDX-License-Identifier: MIT */
/* The table of commands. */
#include "command/commands.h"

#include "ring/ring_kind.h"

const struct command *const commands[] = {
    &tail_command,   &record_command, &snapshot_command, &info_command,       &decode_command,   &report_command,
    &check_command,  &why_command,    &compare_command,  &profile_command,    &top_command,      &view_command,
    &kernel_command, &lab_command,    &probes_command,   &completion_command, &complete_command, NULL,
};

const struct argp_child target_groups[] = {
    {&options_messages, 0, OPTIONS_MESSAGES_HEAD, 1},
    {&options_target, 0, OPTIONS_TARGET_HEAD, 2},
    {&options_ring, 0, OPTIONS_RING_HEAD, 3},
    {0},
};
