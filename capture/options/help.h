/* SPDX-License-Identifier: MIT */
/* The help of a command: its common options, or all its options, in 80 columns. */
#ifndef TXTAP_CAPTURE_OPTIONS_HELP_H
#define TXTAP_CAPTURE_OPTIONS_HELP_H

#include <stdbool.h>

#include "options/option_table.h"
#include "options/options.h"

/*
 * Prints the help of options->command on standard output. The table has its options. all: false for the common options
 * only. A command without common options always shows all its options.
 */
void help_print(const struct options *options, const struct option_table *table, bool all);

#endif
