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
 * can be written. ERROR_EXISTS or _SYSTEM: they must not, or cannot; error says which file, why, and what else to do.
 */
enum txtap_status options_check_files(const struct options *options, struct error *error);

/*
 * Checks that the events that --event and --trigger name exist. A misspelt one would silently choose nothing.
 * TXTAP_ERROR_USAGE: one does not; error says which names are similar. Other statuses as definitions_load().
 */
enum txtap_status options_check_names(const struct options *options, struct error *error);

#endif
