/* SPDX-License-Identifier: MIT */
/* What the analyses of the report find while "top" runs: inversions, deadlocks, and which checks hold. */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_TOP_FINDINGS_H
#define TXTAP_CAPTURE_COMMAND_TOP_TOP_FINDINGS_H

#include "options/options.h"
#include "figures/checks.h"
#include "txtap/analysis.h"
#include "txtap/inner/top.h"

struct top_findings {
    const struct options *options;
    struct txtap_analysis *analysis;
    struct checks checks;
    const struct txtap_registry *names; /* of objects, while figures are taken */
    struct txtap_top_state *state;      /* while it is set */
    bool complete;                      /* no further items come */
};

/* After success top_findings_close() is due. */
enum txtap_status top_findings_open(struct top_findings *findings, const struct options *options, struct error *error);
void top_findings_close(struct top_findings *findings);

/* Sets findings and checks of the state, whose tick_hz, lost and lost_exact are set. names: of objects, or NULL. */
void top_findings_look(struct top_findings *findings, const struct txtap_registry *names,
                       struct txtap_top_state *state);

/* No further items come. */
void top_findings_complete(struct top_findings *findings);

/* At the end: writes --junit. The exit code is that of the checks. On failure error says why. */
enum exit_code top_findings_end(struct top_findings *findings, const struct txtap_registry *names,
                                const struct txtap_top_state *state, struct error *error);

#endif
