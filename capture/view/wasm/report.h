/* SPDX-License-Identifier: MIT */
/*
 * The report of a range: libtxtap's analyses of its events, as in 'txtap report --from --to'. It is made in steps, so
 * that the page stays responsive and the trace may grow. It covers the events that were stored when the report began.
 */
#ifndef TXTAP_CAPTURE_VIEW_WASM_REPORT_H
#define TXTAP_CAPTURE_VIEW_WASM_REPORT_H

#include "view/wasm/view_trace.h"

enum report_state {
    REPORT_MORE, /* call report_step() again */
    REPORT_DONE, /* call report_answer() */
    REPORT_NONE, /* no report was begun, or the store has dropped events that the report needs: begin again */
};

/* Begins the report of a time range, in ticks, and drops an unfinished report. False: no memory. */
bool report_begin(struct view_trace *trace, uint64_t from, uint64_t to);

/* Continues with at most `count` events, including the notes between them. */
enum report_state report_step(struct view_trace *trace, uint32_t count);

/* Writes the report as JSON into trace->out, and drops the report. False: the report is not finished, or there is no
 * memory. */
bool report_answer(struct view_trace *trace);

/* Drops the report, if there is one. Call it before view_trace_free(). */
void report_forget(struct view_trace *trace);

#endif
