/* SPDX-License-Identifier: MIT */
/* Not installed: for the program txtap, its page and tests, which link txtap_core. A file of checks: one check per
 * line; # begins a comment, \# does not. */
#ifndef TXTAP_INNER_CHECK_LINES_H
#define TXTAP_INNER_CHECK_LINES_H

#include <stddef.h>

struct txtap_check_lines {
    char *rest;    /* text after the current line, NUL-terminated; NULL: no more lines */
    size_t number; /* of the current line, from 1; 0: before the first line */
};

/* Returns the next line that has a check, without its comment and without blanks at its ends. The function changes the
 * text: it puts a NUL after the check. NULL: no more checks. */
char *txtap_check_lines_next(struct txtap_check_lines *lines);

#endif
