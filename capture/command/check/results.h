/* SPDX-License-Identifier: MIT */
/* Writes the results of txtap check in all forms that the options request. */
#ifndef TXTAP_CAPTURE_COMMAND_CHECK_RESULTS_H
#define TXTAP_CAPTURE_COMMAND_CHECK_RESULTS_H

#include "command/check/observe.h"
#include "figures/verdicts.h"

/*
 * Compares the observation with the older trace of --baseline, and writes the results: lines on standard output, and
 * --junit, --html and --summary. The page needs the files of the trace, or the recording. cause: the error that ended
 * the observation early, which becomes a result, too; or no error. *verdict: gets EXIT_DONE, EXIT_CHECK_FAILED or
 * EXIT_CHECK_UNDECIDED. On failure error has the cause; as many results as possible are written.
 */
enum txtap_status results_write(const struct observation *observation, const struct options *options,
                                const struct error *cause, int *verdict, struct error *error);

/* Writes the error of a run without events to --junit, --summary and the annotations, so that a CI server shows it.
 * Does nothing after wrong usage. Prints an error if a file cannot be written. */
void results_write_error(const struct options *options, const struct error *cause);

#endif
