/* SPDX-License-Identifier: MIT */
/* Writes a range of the trace as CSV, in steps: the same lines as 'txtap decode -f csv --from --to'. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_CSV_H
#define TXTAP_CAPTURE_VIEW_WASM_CSV_H

#include "view/wasm/view_trace.h"

/*
 * Starts to write the events from time `from` to time `to`, both inclusive, in ticks, and all gaps and marks. Forgets
 * an earlier CSV. False: there is no memory, or the events are records of CTF, which have other columns.
 */
bool csv_begin(struct view_trace *trace, uint64_t from, uint64_t to);

enum csv_state {
    CSV_MORE,
    CSV_DONE, /* the newest step wrote the last lines */
    CSV_NONE, /* nothing was started, or the trace dropped events that are not written yet */
};

/* Writes the lines of the next `count` events and notes to trace->out. */
enum csv_state csv_step(struct view_trace *trace, uint32_t count);

void csv_forget(struct view_trace *trace);

#endif
