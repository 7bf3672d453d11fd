/* SPDX-License-Identifier: MIT */
/* Where the trace buffer is: one group of the table of options, with its parser. */
#ifndef TXTAP_CAPTURE_OPTIONS_TARGET_H
#define TXTAP_CAPTURE_OPTIONS_TARGET_H

#include <argp.h>

#include "options/options.h"

extern const struct argp_option target_option_rows[];

/* state->input is a struct options. Wrong options, and those that do not go together, end the program. */
error_t target_option(int key, char *text, struct argp_state *state);

#endif
