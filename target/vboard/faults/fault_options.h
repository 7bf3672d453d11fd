/* SPDX-License-Identifier: MIT */
/*
 * The options that ask for faults, for options.c.
 */
#ifndef VBOARD_FAULT_OPTIONS_H
#define VBOARD_FAULT_OPTIONS_H

#include <argp.h>

#include "options.h"

/* Keys of argp for the options of this group, from KEY_FAULT_FIRST on. */
enum {
    KEY_FAULT_FIRST = 0x200,
    KEY_FAULT = KEY_FAULT_FIRST,
    KEY_FAULTS_SEED,
    KEY_FAULTS_EVERY,
    KEY_FAULTS_KINDS,
    KEY_CONTROL_PORT,
    KEY_CONTROL_PORT_FILE
};

/* Parses an option. Returns ARGP_ERR_UNKNOWN for a key of another group; ends the program on a usage error. */
error_t fault_options_parse(int key, char *text, struct argp_state *state, struct options *options);
/* Checks, at the end of the command line, that options that belong together were all given. */
void fault_options_finish(struct argp_state *state, struct options *options);

#endif
