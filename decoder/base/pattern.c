/* SPDX-License-Identifier: MIT */
/*
 * Patterns as shells have them, over bytes, ignoring the case of ASCII letters. Backtracks only to the last star, so no
 * pattern is slow.
 */
#include "txtap/inner/pattern.h"

#include <stddef.h>

/* The other case of an ASCII letter; any other byte unchanged. */
static unsigned char other_case(unsigned char byte)
{
    bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');

    return is_letter ? byte ^ 0x20 : byte;
}

/* Takes the next byte of the pattern, or the one behind a backslash. */
static unsigned char take_literal(const char **pattern)
{
    if (**pattern == '\\' && (*pattern)[1] != '\0')
        (*pattern)++;
    return (unsigned char)*(*pattern)++;
}

/* set: behind its '['. Returns the end of the set, behind its ']', or NULL if it has none: then '[' means itself. */
static const char *match_set(const char *set, unsigned char byte, bool *matches)
{
    bool negated = *set == '!' || *set == '^', found = false, first = true;
    unsigned char other = other_case(byte);

    set += negated;
    for (; *set != '\0'; first = false) {
        unsigned char low, high;

        if (*set == ']' && !first) {
            *matches = found != negated;
            return set + 1;
        }
        low = high = take_literal(&set);
        if (*set == '-' && set[1] != ']' && set[1] != '\0') {
            set++;
            high = take_literal(&set);
        }
        found = found || (low <= byte && byte <= high) || (low <= other && other <= high);
    }
    return NULL;
}

/* Does the pattern's next element, which is not a star, match the byte? If so, skips it. */
static bool match_one(const char **pattern, unsigned char byte)
{
    const char *at = *pattern, *end;
    bool matches = false;

    if (*at == '\0')
        return false;
    if (*at == '?') {
        *pattern = at + 1;
        return true;
    }
    end = *at == '[' ? match_set(at + 1, byte, &matches) : NULL;
    if (end == NULL) {
        unsigned char literal = take_literal(&at);

        matches = literal == byte || literal == other_case(byte);
        end = at;
    }
    if (matches)
        *pattern = end;
    return matches;
}

bool txtap_pattern_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *retry = NULL;

    while (*text != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (match_one(&pattern, (unsigned char)*text)) {
            text++;
        } else if (star != NULL) {
            pattern = star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}
