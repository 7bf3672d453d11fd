/* SPDX-License-Identifier: MIT */
/*
 * One line at the bottom of a terminal that changes in place, on standard error. It is erased before anything else is
 * written to that terminal, so that it never stands between other lines.
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

/* Draws the text, printable ASCII, cut to the terminal's width; what was drawn before is erased. */
void status_line_draw(struct status_line *line, const char *text);

/* Takes the line away, if there is one. */
void status_line_erase(struct status_line *line);

#endif
