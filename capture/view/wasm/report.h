/* SPDX-License-Identifier: MIT */
/* The report of a range: the analyses of libtxtap over its events, as 'txtap report --from --to' runs them. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_REPORT_H
#define TXTAP_CAPTURE_VIEW_WASM_REPORT_H

#include "view/wasm/view_trace.h"

/* Puts the report of events from ticks to ticks into trace->out, as JSON. False: there is no memory. */
bool answer_report(struct view_trace *trace, uint64_t from, uint64_t to);

#endif
