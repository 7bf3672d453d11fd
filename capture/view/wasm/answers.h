/* SPDX-License-Identifier: MIT */
/* What the page asks of a trace. An answer is a text in trace->out, JSON unless it says otherwise, until the next one.
 */
#ifndef TXTAP_CAPTURE_VIEW_WASM_ANSWERS_H
#define TXTAP_CAPTURE_VIEW_WASM_ANSWERS_H

#include "view/wasm/view_trace.h"

/* The numbers of a trace: see decoder.js, state(). */
void answer_state(struct view_trace *trace);

/* An event: {"line": as 'txtap decode' prints it, "event": as its JSON Lines, "numbers": what else there is of it}. */
void answer_event(struct view_trace *trace, uint32_t index);

#define ANSWER_TEXTS_MAX 8u

/*
 * The first event of from to to - 1 in whose words all texts are; to: none. list: the texts, in lower case, with a line
 * end between them; it is changed. Texts after the first ANSWER_TEXTS_MAX are ignored.
 */
uint32_t answer_find(struct view_trace *trace, char *list, uint32_t from, uint32_t to);

/* What two events have in common; SWITCH: the event has another context than the one before it. */
enum answer_alike { ALIKE_EVENT, ALIKE_THREAD, ALIKE_OBJECT, ALIKE_SWITCH };

#define ANSWER_NONE UINT32_MAX

/* The first of count events, from from on in one direction, that is alike to event index; ANSWER_NONE: none. */
uint32_t answer_alike(const struct view_trace *trace, uint32_t index, enum answer_alike what, bool forward,
                      uint32_t from, uint32_t count);

/* Marks between events from ticks to ticks, at most most of them: [{"index", "kind", ...}]. */
void answer_marks(struct view_trace *trace, uint64_t from, uint64_t to, uint32_t most);

/* A time as the text format prints it; not JSON. */
void answer_time(struct view_trace *trace, uint64_t ticks);

/* ---- rows ---- */

/* All rows: [{"row", "kind", "name", ...}]. */
void answer_rows(struct view_trace *trace);

/* How long a row was in each state: {"running": ticks, ...}. */
void answer_sums(struct view_trace *trace, uint32_t row, uint64_t from, uint64_t to);

/* The row's step at that time, or null. */
void answer_step(struct view_trace *trace, uint32_t row, uint64_t ticks);

/* As answer_marks(): where events were lost, and who was woken. */
void answer_gaps(struct view_trace *trace, uint64_t from, uint64_t to, uint32_t most);
void answer_wakes(struct view_trace *trace, uint64_t from, uint64_t to, uint32_t most);

#endif
