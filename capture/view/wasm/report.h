/* SPDX-License-Identifier: MIT */
/*
 * The report of a range: libtxtap's analyses of its events, as in 'txtap report --from --to'. It is made in steps, so
 * that the page stays responsive and the trace may grow. It covers the events that were stored when the report began.
 */
#ifndef TXTAP_CAPTURE_VIEW_WASM_REPORT_H
#define TXTAP_CAPTURE_VIEW_WASM_REPORT_H

#include "txtap/inner/why.h"
#include "txtap/analysis.h"
#include "view/wasm/view_trace.h"

enum report_state {
    REPORT_MORE, /* call report_step() again */
    REPORT_DONE, /* call report_answer() */
    REPORT_NONE, /* no report was begun, or the store has dropped events that the report needs: begin again */
};

/* Begins the report of a time range, in ticks, and drops an unfinished report. wish: the span to explain, or WORST for
 * the longest jobs; NULL: the answer is the object of 'txtap report --flow' instead of a report. False: no memory. */
bool report_begin(struct view_trace *trace, uint64_t from, uint64_t to, const struct txtap_why_wish *wish);

/* Does the same for a set of sections (analysis.h; 0: all). A report of a set ends with report_end(). */
bool report_begin_sections(struct view_trace *trace, uint64_t from, uint64_t to, uint32_t sections);

/* Returns the analysis of the report that was begun. */
struct txtap_analysis *report_analysis(struct view_trace *trace);

/* Returns the name of a subject, as known at the current event of the report; "": it has no name. */
const char *report_subject_name(struct view_trace *trace, const struct txtap_subject *subject);

/* Continues with at most `count` events, including the notes between them. */
enum report_state report_step(struct view_trace *trace, uint32_t count);

/* Writes the report as JSON into trace->out, with the causes of the longest jobs, or the flow, and drops the report.
 * False: the report is not finished, or there is no memory. */
bool report_answer(struct view_trace *trace);

/* Takes a figure with the names of its subject and of the other party. */
typedef void report_take(void *self, const struct txtap_figure *figure, const char *subject, const char *other);

/* Gives the figures of the report to `take` and its properties to *summary, and drops the report. False: the report is
 * not finished. */
bool report_give(struct view_trace *trace, report_take *take, void *self, struct txtap_analysis_summary *summary);

struct figures;

/* Gives the figures of the report to `take`, and sets the other members of *figures, except `at` and tick_hz. They
 * borrow the report, so the caller drops the report afterwards, with report_forget(). False: the report is not
 * finished. */
bool report_figures(struct view_trace *trace, report_take *take, void *self, struct figures *figures);

/* Writes the explained span instead: the object of 'txtap why -f json', or null if the trace does not have it. */
bool report_answer_why(struct view_trace *trace);

/* Completes the analysis of a set of sections, and drops the report. False: no such report is finished. */
bool report_end(struct view_trace *trace);

/* Drops the report, if there is one. Call it before view_trace_free(). */
void report_forget(struct view_trace *trace);

#endif
