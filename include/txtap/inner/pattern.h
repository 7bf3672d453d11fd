/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Patterns as shells have them.
 */
#ifndef TXTAP_INNER_PATTERN_H
#define TXTAP_INNER_PATTERN_H

#include <stdbool.h>

/*
 * Does the pattern match all of text? * stands for any text, ? for any one byte, [a-z] and [!a-z] for one byte of a set
 * (a ] that comes first belongs to the set), \ makes the next byte ordinary. Case does not matter for ASCII letters.
 * Both are NUL-terminated. Takes O(pattern * text) steps at most.
 */
bool txtap_pattern_matches(const char *pattern, const char *text);

#endif
