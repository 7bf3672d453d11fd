/* SPDX-License-Identifier: MIT */
/* Checks before a command begins: the files that it writes, and the names in its options. */
#ifndef TXTAP_CAPTURE_OPTIONS_BEGIN_H
#define TXTAP_CAPTURE_OPTIONS_BEGIN_H

#include "base/failure.h"
#include "options/options.h"

/* Parses an option like options_parse_elf(), for a command that needs -o. */
error_t options_parse_output(int key, char *text, struct argp_state *state);

/*
 * Checks that no output file is also an input file, even under another name, and that each output file can be written.
 * Then checks that the events in --event and --trigger exist, because a misspelt name would silently match nothing.
 * ERROR_EXISTS: a file must not be overwritten. TXTAP_ERROR_SYSTEM: a file cannot be written. TXTAP_ERROR_USAGE: an
 * event does not exist. Other statuses are those of definitions_load(). error has the file or name, the reason, and the
 * next step.
 */
enum txtap_status options_check_files_and_names(const struct options *options, struct error *error);

#endif
