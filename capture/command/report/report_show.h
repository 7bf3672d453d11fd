/* SPDX-License-Identifier: MIT */
/* The results of a report: figures, a comparison with an older report, results of checks. Writes them as output. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_REPORT_SHOW_H
#define TXTAP_CAPTURE_COMMAND_REPORT_REPORT_SHOW_H

#include "options/options.h"
#include "figures/checks.h"
#include "compare/comparison.h"
#include "figures/figures.h"

struct report_results {
    struct figures figures;
    struct checks checks;
    struct baseline baseline; /* the report of --baseline */
    bool is_file;             /* the trace is in a file */
};

/* Writes everything that the options request. TXTAP_ERROR_USAGE: a check matches nothing, or the reports cannot be
 * compared. */
enum txtap_status report_show(struct report_results *results, const struct options *options, struct error *error);

#endif
