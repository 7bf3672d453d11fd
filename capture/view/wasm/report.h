/* SPDX-License-Identifier: MIT */
/*
 * The report of a range: the analyses of libtxtap over its events, as 'txtap report --from --to' runs them. It is made
 * in steps, between which the page lives and the trace may grow: of the events that were held at the beginning.
 */
#ifndef TXTAP_CAPTURE_VIEW_WASM_REPORT_H
#define TXTAP_CAPTURE_VIEW_WASM_REPORT_H

#include "view/wasm/view_trace.h"

enum report_state {
    REPORT_MORE, /* further steps are due */
    REPORT_DONE, /* report_answer() is due */
    REPORT_NONE, /* none was begun, or the trace has forgotten events that it needs: begin again */
};

/* Begins the report of events from ticks to ticks, instead of one that is under way. False: there is no memory. */
bool report_begin(struct view_trace *trace, uint64_t from, uint64_t to);

/* Goes on by so many events, or what stands between them. */
enum report_state report_step(struct view_trace *trace, uint32_t count);

/* Puts the report into trace->out, as JSON, and forgets it. False: it is not done, or there is no memory. */
bool report_answer(struct view_trace *trace);

/* Ends one that is under way; there need not be one. Due before view_trace_free(). */
void report_forget(struct view_trace *trace);

#endif
