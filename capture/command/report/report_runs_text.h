/* SPDX-License-Identifier: MIT */
/* A row for each trace of a folder, with its most important figures, as text or JSON. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_REPORT_RUNS_TEXT_H
#define TXTAP_CAPTURE_COMMAND_REPORT_REPORT_RUNS_TEXT_H

#include "base/text_maker.h"
#include "figures/text_table.h"
#include "tables/table_run.h"

struct runs_text {
    bool json, has_checks;
    struct text_maker maker;
    struct text_table table; /* text only */
    size_t count;
    uint64_t events, lost;
};

/* json: JSON instead of text. has_checks: the rows have results of checks. False: no memory. */
bool runs_text_begin(struct runs_text *text, bool json, bool has_checks);
void runs_text_add(struct runs_text *text, const struct table_run *run);

/* Completes the text. width: columns of the terminal, or TEXT_ENDLESS. False: no memory, and text->maker has no text.
 * Otherwise the caller frees text->maker.text. */
bool runs_text_end(struct runs_text *text, unsigned width);

#endif
