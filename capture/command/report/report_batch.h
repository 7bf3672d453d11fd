/* SPDX-License-Identifier: MIT */
/* txtap report --batch: the traces of a folder for which a condition is true, the worst first. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_REPORT_BATCH_H
#define TXTAP_CAPTURE_COMMAND_REPORT_REPORT_BATCH_H

#include "options/options.h"

/* Prints errors. Returns EXIT_DONE, also if no trace matches; EXIT_FAILED if a trace could not be read. */
int batch_run(const struct options *options);

#endif
