/* SPDX-License-Identifier: MIT */
/* The commands, in the order in which --help lists them; NULL ends the table. */
#ifndef TXTAP_CAPTURE_COMMAND_COMMANDS_H
#define TXTAP_CAPTURE_COMMAND_COMMANDS_H

#include "options/options.h"

extern const struct command tail_command, record_command, snapshot_command, info_command, decode_command,
    probes_command, lab_command, report_command, check_command, top_command, view_command, kernel_command, why_command,
    profile_command, compare_command, completion_command, complete_command;

extern const struct command *const commands[];

/* The option groups of commands that read a target once. */
extern const struct argp_child target_groups[];

#endif
