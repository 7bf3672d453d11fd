/* SPDX-License-Identifier: MIT */
/* What a report comes to, and how it is written: figures, a comparison with an older report, results of checks. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_REPORT_SHOW_H
#define TXTAP_CAPTURE_COMMAND_REPORT_REPORT_SHOW_H

#include "options/options.h"
#include "figures/checks.h"
#include "figures/comparison.h"
#include "figures/figures.h"

struct report_results {
    struct figures figures;
    struct checks checks;
    struct baseline baseline; /* of --baseline */
};

/* Writes all that the options ask for. TXTAP_ERROR_USAGE: a check is about nothing, or the reports cannot be compared.
 */
enum txtap_status report_show(struct report_results *results, const struct options *options, struct error *error);

#endif
