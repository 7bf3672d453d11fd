/* SPDX-License-Identifier: MIT */
/* Judges checks of the user's text over a finished report, as `txtap check` does. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_JUDGE_H
#define TXTAP_CAPTURE_VIEW_WASM_JUDGE_H

#include "view/wasm/view_trace.h"

#define JUDGE_CHECKS_MAX 256u /* as in the options of the program */

/*
 * Writes the results of the checks into trace->out, and drops the report. text: `length` bytes, a line for each check;
 * the function changes the text. The answer is {"exit":N,"checks":[...]}: the exit code of `txtap check`, and the
 * objects of docs/reference/page.md, each with the number of its line. If a line is no check, or a check cannot be
 * judged at all, the answer is {"problem":"...","line":N}; line 0: not a single line. False: the report is not
 * finished, or there is no memory.
 */
bool judge_checks(struct view_trace *trace, char *text, size_t length);

#endif
