/* SPDX-License-Identifier: MIT */
#include "line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

#define BYTES_MAX (LINE_BYTES - 1) /* the newline always has room */

void line_start(struct line *line)
{
    line->length = 0;
    line->columns = 0;
}

/* All or nothing: half an escape sequence or half a character would be worse than none. */
static bool append(struct line *line, const char *bytes, size_t count)
{
    if (count > BYTES_MAX - line->length)
        return false;
    memcpy(line->text + line->length, bytes, count);
    line->length += count;
    return true;
}

static void append_columns(struct line *line, const char *bytes, size_t count, size_t columns)
{
    if (append(line, bytes, count))
        line->columns += columns;
}

void line_text(struct line *line, const char *text)
{
    size_t length = strlen(text);

    append_columns(line, text, length, length);
}

void line_decimal(struct line *line, uint64_t value)
{
    line_decimal_right(line, value, 0);
}

void line_decimal_right(struct line *line, uint64_t value, size_t width)
{
    char digits[48];

    (void)snprintf(digits, sizeof(digits), "%*" PRIu64, width < 40 ? (int)width : 40, value);
    line_text(line, digits);
}

void line_hex(struct line *line, uint32_t value, unsigned digits)
{
    char text[16];

    (void)snprintf(text, sizeof(text), "0x%0*" PRIx32, digits < 8 ? (int)digits : 8, value);
    line_text(line, text);
}

void line_ipv4(struct line *line, uint32_t address)
{
    for (unsigned shift = 32; shift > 0; shift -= 8) {
        line_decimal(line, address >> (shift - 8) & 0xFF);
        if (shift > 8)
            line_text(line, ".");
    }
}

/* In whole microseconds, because %f would print the locale's decimal point and as many digits as it likes. */
void line_seconds(struct line *line, uint64_t ticks, double tick_hz, size_t width)
{
    double exact_us = (double)ticks / tick_hz * 1e6;
    uint64_t us = exact_us < 1e18 ? (uint64_t)(exact_us + 0.5) : UINT64_C(1000000000000000000);
    char fraction[16];

    line_decimal_right(line, us / 1000000, width > 7 ? width - 7 : 0);
    (void)snprintf(fraction, sizeof(fraction), ".%06u", (unsigned)(us % 1000000));
    line_text(line, fraction);
}

void line_column(struct line *line, size_t column)
{
    size_t end = column > line->columns + 2 ? column : line->columns + 2;

    while (line->columns < end && append(line, " ", 1))
        line->columns++;
}

void line_color(struct line *line, const char *sequence)
{
    (void)append(line, sequence, strlen(sequence));
}

/*
 * Bytes of the character at text that may reach a terminal as it is, or 0. C1 controls start escape sequences on
 * some terminals even when they come as UTF-8.
 */
static size_t printable(const char *text)
{
    size_t length = utf8_length(text);
    unsigned char first = (unsigned char)text[0], second = length > 1 ? (unsigned char)text[1] : 0;

    if (length == 1 && (first < 0x20 || first == 0x7F))
        return 0;
    if (length == 2 && first == 0xC2 && second < 0xA0)
        return 0;
    return length;
}

bool line_is_plain(const char *text, bool blanks)
{
    bool blank_before = true;

    for (size_t length; *text != '\0'; text += length) {
        length = printable(text);
        if (length == 0 || strchr("\"\\=", *text) != NULL)
            return false;
        if (*text == ' ' && (!blanks || blank_before || text[1] == '\0'))
            return false;
        blank_before = *text == ' ';
    }
    return true;
}

void line_terminal(struct line *line, const char *text)
{
    while (*text != '\0') {
        size_t length = printable(text);
        char escaped[8];

        if (length == 0) {
            (void)snprintf(escaped, sizeof(escaped), "\\x%02x", (unsigned)(unsigned char)*text++);
            line_text(line, escaped);
            continue;
        }
        if (*text == '"' || *text == '\\')
            line_text(line, "\\");
        append_columns(line, text, length, 1);
        text += length;
    }
}

/* Writes one character of a JSON string and returns how many bytes it was. */
static size_t json_character(struct line *line, const char *text)
{
    size_t length = utf8_length(text);
    unsigned code = (unsigned char)text[0];
    char escaped[8];

    if (length == 0) {
        line_text(line, "\\ufffd");
        return 1;
    }
    if (printable(text) == 0) {
        if (length == 2)
            code = (unsigned char)text[1]; /* C1: U+0080 to U+009F are C2 80 to C2 9F */
        (void)snprintf(escaped, sizeof(escaped), "\\u%04x", code);
        line_text(line, escaped);
        return length;
    }
    if (code == '"' || code == '\\')
        line_text(line, "\\");
    append_columns(line, text, length, 1);
    return length;
}

void line_json(struct line *line, const char *text)
{
    line_text(line, "\"");
    while (*text != '\0')
        text += json_character(line, text);
    line_text(line, "\"");
}

enum txtap_status line_write(struct line *line, const struct txtap_sink *sink)
{
    line->text[line->length++] = '\n';
    return sink->write(sink->self, line->text, line->length);
}
