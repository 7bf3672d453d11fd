/* SPDX-License-Identifier: MIT */
/* Opens the analysis that the options describe. */
#ifndef TXTAP_CAPTURE_COMMAND_ANALYSIS_OPEN_H
#define TXTAP_CAPTURE_COMMAND_ANALYSIS_OPEN_H

#include "base/failure.h"
#include "options/options.h"
#include "txtap/analysis.h"
#include "txtap/inner/why.h"

/* Opens an analysis. sections: a set of TXTAP_SECTION_BIT(); 0: all sections. On success the caller frees *analysis
 * with free(). TXTAP_ERROR_SYSTEM: no memory; error has the text. */
enum txtap_status analysis_open(struct txtap_analysis **analysis, const struct options *options, uint32_t sections,
                                struct error *error);

/* Opens the causes of delays, with the changes of an analysis that analysis_open() has opened. Call it before the first
 * item. pieces: see struct txtap_why_limits. On success the caller frees *why with free(), before the analysis.
 * TXTAP_ERROR_SYSTEM: no memory; error has the text. */
enum txtap_status why_open(struct txtap_why **why, struct txtap_analysis *analysis, const struct txtap_why_wish *wish,
                           bool pieces, struct error *error);

#endif
