/* SPDX-License-Identifier: MIT */
/*
 * Recognises valid UTF-8, numbers in text (in any locale), and text that matches a pattern. These functions know
 * neither a format nor the origin of the bytes.
 */
#include "base/text.h"

#include "txtap/inner/pattern.h"

/* ---- UTF-8 ---- */

static bool in_range(unsigned char byte, unsigned char low, unsigned char high)
{
    return byte >= low && byte <= high;
}

/*
 * Returns true if the second byte of a character is valid after the first byte. This check detects overlong forms,
 * surrogates, and values beyond Unicode.
 */
static bool second_fits(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xE0:
        return in_range(second, 0xA0, 0xBF);
    case 0xED:
        return in_range(second, 0x80, 0x9F);
    case 0xF0:
        return in_range(second, 0x90, 0xBF);
    case 0xF4:
        return in_range(second, 0x80, 0x8F);
    default:
        return in_range(second, 0x80, 0xBF);
    }
}

size_t utf8_length(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t length;

    if (bytes[0] < 0x80)
        return 1;
    if (in_range(bytes[0], 0xC2, 0xDF))
        length = 2;
    else if (in_range(bytes[0], 0xE0, 0xEF))
        length = 3;
    else if (in_range(bytes[0], 0xF0, 0xF4))
        length = 4;
    else
        return 0;
    /* The NUL at the end is not a continuation byte, so the checks below stop there and read no byte after it. */
    if (!second_fits(bytes[0], bytes[1]))
        return 0;
    for (size_t i = 2; i < length; i++) {
        if (!in_range(bytes[i], 0x80, 0xBF))
            return 0;
    }
    return length;
}

/* ---- numbers ---- */

unsigned digit_value(char character)
{
    if (character >= '0' && character <= '9')
        return (unsigned)(character - '0');
    if (character >= 'A' && character <= 'F')
        return (unsigned)(character - 'A') + 10;
    if (character >= 'a' && character <= 'f')
        return (unsigned)(character - 'a') + 10;
    return 16;
}

bool digits_number(const char *text, size_t length, uint32_t *number)
{
    bool is_hex = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    unsigned base = is_hex ? 16 : 10;
    uint64_t value = 0;

    if (length == 0)
        return false;
    for (size_t i = is_hex ? 2 : 0; i < length; i++) {
        unsigned digit = digit_value(text[i]);

        value = value * base + digit;
        if (digit >= base || value > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return true;
}

/* ---- shell patterns over bytes; the match goes back only to the last star, so no pattern is slow ---- */

/* Returns an ASCII letter in the opposite case; returns any other byte unchanged. */
static unsigned char other_case(unsigned char byte)
{
    bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');

    return is_letter ? byte ^ 0x20 : byte;
}

/* Takes the next byte of the pattern, or the byte after a backslash. */
static unsigned char take_literal(const char **pattern)
{
    if (**pattern == '\\' && (*pattern)[1] != '\0')
        (*pattern)++;
    return (unsigned char)*(*pattern)++;
}

/*
 * Matches a byte against a set. set: the address after a '['. Returns the address after the closing ']'. Returns NULL
 * if there is no ']'; the '[' is then an ordinary character.
 */
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

/*
 * Returns true if the next element of the pattern matches the byte, and skips the element. The element is not a star.
 */
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
