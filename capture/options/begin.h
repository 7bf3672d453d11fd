/* SPDX-License-Identifier: MIT */
/* Before a command begins: the files that it writes, and the names that it was given. */
#ifndef TXTAP_CAPTURE_OPTIONS_BEGIN_H
#define TXTAP_CAPTURE_OPTIONS_BEGIN_H

#include "base/failure.h"
#include "options/options.h"

/* As options_parse_elf(), for a command that needs -o. */
error_t options_parse_output(int key, char *text, struct argp_state *state);

/*
 * Compares the files to write with the files to read, by what they are and not by their names, and checks whether they
 * can be written: ERROR_EXISTS or _SYSTEM if they must not, or cannot. Then checks that the events that --event and
 * --trigger name exist, because a misspelt name would silently choose nothing: TXTAP_ERROR_USAGE, or statuses as
 * definitions_load(). error says which file or name, why, and what else to do.
 */
enum txtap_status options_check_files_and_names(const struct options *options, struct error *error);

#endif
