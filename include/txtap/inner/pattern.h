/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Patterns like those of a shell.
 */
#ifndef TXTAP_INNER_PATTERN_H
#define TXTAP_INNER_PATTERN_H

#include <stdbool.h>

/*
 * Returns true if the pattern matches all of text. * matches any text, ? any one byte, [a-z] and [!a-z] one byte of a
 * set (a ] in first place belongs to the set). \ makes the next byte ordinary. ASCII letters match in either case. Both
 * are NUL-terminated. Takes at most O(pattern * text) steps.
 */
bool txtap_pattern_matches(const char *pattern, const char *text);

#endif
