/* SPDX-License-Identifier: MIT */
/* Findings that "top" shows while it runs: inversions and deadlocks from the report's analyses, and results of checks.
 */
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
    const struct txtap_registry *names;        /* names of objects; valid only while figures are taken */
    const struct txtap_interrupts *interrupts; /* names of interrupts; borrowed; set by the caller */
    struct txtap_top_state *state;             /* the state that gets the figures */
    bool complete;                             /* the last item was taken */
};

/* Opens the findings. After success, call top_findings_close(). */
enum txtap_status top_findings_open(struct top_findings *findings, const struct options *options, struct error *error);
void top_findings_close(struct top_findings *findings);

/* Sets the findings and checks in `state`. The caller must have set tick_hz, lost and lost_exact there. names: names of
 * objects, or NULL. */
void top_findings_look(struct top_findings *findings, const struct txtap_registry *names,
                       struct txtap_top_state *state);

/* Completes the analyses. Call it after the last item. */
void top_findings_complete(struct top_findings *findings);

/* Writes --junit, and returns the exit code of the checks. Call it at the end. On failure error has the cause. */
enum exit_code top_findings_end(struct top_findings *findings, const struct txtap_registry *names,
                                const struct txtap_top_state *state, struct error *error);

#endif
