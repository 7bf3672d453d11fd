/* SPDX-License-Identifier: MIT */
/* Opens the analysis that the options describe. */
#ifndef TXTAP_CAPTURE_COMMAND_ANALYSIS_OPEN_H
#define TXTAP_CAPTURE_COMMAND_ANALYSIS_OPEN_H

#include "base/failure.h"
#include "options/options.h"
#include "txtap/analysis.h"

/* Opens an analysis. sections: a set of TXTAP_SECTION_BIT(); 0: all sections. On success the caller frees *analysis
 * with free(). TXTAP_ERROR_SYSTEM: no memory; error has the text. */
enum txtap_status analysis_open(struct txtap_analysis **analysis, const struct options *options, uint32_t sections,
                                struct error *error);

#endif
