/* SPDX-License-Identifier: MIT */
/* txtap report --batch without a condition: a table of all traces of a folder. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_REPORT_RUNS_H
#define TXTAP_CAPTURE_COMMAND_REPORT_REPORT_RUNS_H

#include "options/options.h"

/* Writes the table, and prints errors. Returns EXIT_FAILED if a trace could not be read; results of checks do not
 * change the exit code. */
int runs_run(const struct options *options);

#endif
