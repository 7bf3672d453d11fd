/* SPDX-License-Identifier: MIT */
/*
 * Compares the figures of two traces, as `txtap compare` does. Each trace has an instance of the decoder of its own, so
 * the figures of the second trace pass through the page as bytes. Both instances run the same module, so constant texts
 * have the same addresses in both.
 */
#ifndef TXTAP_CAPTURE_VIEW_WASM_COMPARE_H
#define TXTAP_CAPTURE_VIEW_WASM_COMPARE_H

#include "view/wasm/view_trace.h"

/* Writes the figures of the finished report into trace->out, and drops the report. False: the report is not finished,
 * or there is no memory. */
bool compare_figures(struct view_trace *trace);

/* Figures of a trace. All pointers are borrowed. */
struct compare_side {
    const char *name;    /* of the trace */
    const void *figures; /* `length` bytes of compare_figures(), of this module */
    size_t length;
};

/* Writes the object of changes_show_page() into trace->out, or an object with the member `problem` if both traces
 * cannot be compared. False: there is no memory. */
bool compare_sides(struct view_trace *trace, const struct compare_side sides[2]);

#endif
