/* SPDX-License-Identifier: MIT */
/* Answers to the page's questions about a trace. An answer is a text in trace->out, valid until the next answer. It is
 * JSON unless the comment says otherwise. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_ANSWERS_H
#define TXTAP_CAPTURE_VIEW_WASM_ANSWERS_H

#include "view/wasm/view_trace.h"

/* Writes the numbers of a trace: see state() in decoder.js. */
void answer_state(struct view_trace *trace);

/* Writes an event: {"line": text of 'txtap decode', "event": JSON Lines, "numbers": further numbers}. */
void answer_event(struct view_trace *trace, uint32_t index);

#define ANSWER_TEXTS_MAX 8u

/*
 * Returns the first event from `from` to `to` - 1 whose text contains all texts; `to`: no such event. list: the texts,
 * in lower case, separated by line feeds; the function changes it. Texts after the first ANSWER_TEXTS_MAX are ignored.
 */
uint32_t answer_find(struct view_trace *trace, char *list, uint32_t from, uint32_t to);

/* The property that similar events have in common. SWITCH: the event has another context than the event before it. */
enum answer_alike { ALIKE_EVENT, ALIKE_THREAD, ALIKE_OBJECT, ALIKE_SWITCH };

#define ANSWER_NONE UINT32_MAX

/* Returns the first similar event among `count` events, starting with `from`, in one direction; ANSWER_NONE: no such
 * event. */
uint32_t answer_alike(const struct view_trace *trace, uint32_t index, enum answer_alike what, bool forward,
                      uint32_t from, uint32_t count);

/* Writes at most `most` marks of a time range, which is in ticks: [{"index", "kind", ...}]. */
void answer_marks(struct view_trace *trace, uint64_t from, uint64_t to, uint32_t most);

/* Writes a time as the text format prints it; not JSON. */
void answer_time(struct view_trace *trace, uint64_t ticks);

/* ---- rows ---- */

/* Writes all rows: [{"row", "kind", "name", ...}]. */
void answer_rows(struct view_trace *trace);

/* Writes the time that a row spent in each state: {"running": ticks, ...}. */
void answer_sums(struct view_trace *trace, uint32_t row, uint64_t from, uint64_t to);

/* Writes the row's step at that time, or null. */
void answer_step(struct view_trace *trace, uint32_t row, uint64_t ticks);

/*
 * Writes the busiest of at most `most` windows of a core from the time `next` on: {"from", "busy", "next", "done"}, as
 * txtap_rows_peak() finds it.
 */
void answer_peak(struct view_trace *trace, uint32_t row, uint64_t window, uint64_t next, uint32_t most);

/* Writes the slice of this depth that is open in the row at that time, or null: see struct txtap_row_slice. */
void answer_slice(struct view_trace *trace, uint32_t row, uint64_t ticks, uint32_t depth);

/* Writes a user value of a row as text, with its unit; not JSON. key: of txtap_rows_values(). */
void answer_value(struct view_trace *trace, uint32_t row, uint32_t key);

/* ---- rows of samples ---- */

/* Returns true if the row is a channel of samples. */
bool answer_is_sampled(const struct txtap_row *row);

/* Writes a number of txtap_rows_samples() as a label, with its unit; not JSON. A float has at most 6 digits. */
void answer_sample_value(struct view_trace *trace, uint32_t row, double value);

/* Writes the sample that is valid at a time, or the last line of a log before this time, as a step of the row; null: no
 * such sample. */
void answer_sample(struct view_trace *trace, uint32_t row, uint64_t ticks);

/* Writes the profile of a part of the trace: the object of 'txtap profile -f json'. from, to: ticks, both inclusive. */
void answer_profile(struct view_trace *trace, uint64_t from, uint64_t to);

/* ---- between rows ---- */

/* Writes the gaps and the wake-ups in a time range, in the form of answer_marks(). */
void answer_gaps(struct view_trace *trace, uint64_t from, uint64_t to, uint32_t most);
void answer_wakes(struct view_trace *trace, uint64_t from, uint64_t to, uint32_t most);

#endif
