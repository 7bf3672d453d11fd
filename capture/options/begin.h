/* SPDX-License-Identifier: MIT */
/* Checks before a command begins: the files that it writes, and the names in its options. */
#ifndef TXTAP_CAPTURE_OPTIONS_BEGIN_H
#define TXTAP_CAPTURE_OPTIONS_BEGIN_H

#include "base/failure.h"
#include "options/options.h"

/* Parses an option like options_parse_elf(), for a command that needs -o. */
error_t options_parse_output(int key, char *text, struct argp_state *state);

/*
 * Compares the files to write with the files to read, by identity and not by name, and checks that they can be written.
 * ERROR_EXISTS: a file must not be overwritten. _SYSTEM: a file cannot be written. Then checks that the events in
 * --event and --trigger exist, because a misspelt name would choose nothing without a message: TXTAP_ERROR_USAGE, or
 * statuses of definitions_load(). error has the file or name, the reason, and the next step.
 */
enum txtap_status options_check_files_and_names(const struct options *options, struct error *error);

#endif
