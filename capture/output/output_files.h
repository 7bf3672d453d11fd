/* SPDX-License-Identifier: MIT */
/* Checks what a command will write, before it reads anything: no existing file may be lost. */
#ifndef TXTAP_CAPTURE_OUTPUT_OUTPUT_FILES_H
#define TXTAP_CAPTURE_OUTPUT_OUTPUT_FILES_H

#include "base/failure.h"
#include "options/options.h"

/* As options_parse_elf(), for a command that needs -o. */
error_t output_files_parse(int key, char *text, struct argp_state *state);

/*
 * Compares the files to write with the files to read, by what they are and not by their names, and checks whether they
 * can be written. ERROR_EXISTS or _SYSTEM: they must not, or cannot; error says which file, why, and what else to do.
 */
enum txtap_status output_files_check(const struct options *options, struct error *error);

#endif
