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
 * Returns true if the pattern matches all of text. * matches any text, ? matches any one byte, and [a-z] and [!a-z]
 * match one byte of a set. A ] that comes first belongs to the set. \ makes the next byte ordinary. ASCII letters match
 * in upper and lower case. pattern and text: NUL-terminated. Takes at most O(pattern * text) steps.
 */
bool txtap_pattern_matches(const char *pattern, const char *text);

#endif
