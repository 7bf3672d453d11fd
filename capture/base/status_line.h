/* SPDX-License-Identifier: MIT */
/*
 * A line at the bottom of the terminal, on standard error, that changes in place. Erase it before writing anything else
 * to that terminal, so that it never stays between other lines.
 */
#ifndef TXTAP_CAPTURE_BASE_STATUS_LINE_H
#define TXTAP_CAPTURE_BASE_STATUS_LINE_H

#include <stdbool.h>

struct status_line {
    bool wanted; /* standard error is a terminal that can erase a line */
    bool drawn;
};

/* quiet: never draws. */
void status_line_init(struct status_line *line, bool quiet);

/* Draws the text, which is printable ASCII, in place of the last one, and cuts it to the terminal's width. */
void status_line_draw(struct status_line *line, const char *text);

void status_line_erase(struct status_line *line);

#endif
