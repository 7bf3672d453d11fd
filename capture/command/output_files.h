/* SPDX-License-Identifier: MIT */
/* What a command is about to write, before it reads anything: it must cost no file that is there. */
#ifndef TXTAP_CAPTURE_COMMAND_OUTPUT_FILES_H
#define TXTAP_CAPTURE_COMMAND_OUTPUT_FILES_H

#include "base/failure.h"
#include "options/options.h"

/* As options_parse_elf(), for a command that needs -o. */
error_t output_files_parse(int key, char *text, struct argp_state *state);

/*
 * Compares what the options say is written with what they say is read, whatever the names are, and looks whether it can
 * be written. ERROR_EXISTS or _SYSTEM: it cannot, or must not; error says which file, why, and what else to do.
 */
enum txtap_status output_files_check(const struct options *options, struct error *error);

#endif
