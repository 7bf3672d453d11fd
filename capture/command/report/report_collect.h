/* SPDX-License-Identifier: MIT */
/* From what was analysed to the results of a report. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_REPORT_COLLECT_H
#define TXTAP_CAPTURE_COMMAND_REPORT_REPORT_COLLECT_H

#include "command/report/report_input.h"
#include "command/report/report_show.h"

/* The sections that have to be analysed: those that are shown, and those that checks and patterns look at. */
uint32_t report_sections(const struct options *options);

/* No further items come. results: opened; borrows the input's names. TXTAP_ERROR_SYSTEM: no memory;
 * TXTAP_ERROR_USAGE: a pattern of an option means nothing in the trace. error may say more. */
enum txtap_status report_collect(struct report_results *results, const struct report_input *input,
                                 const struct options *options, struct error *error);

#endif
