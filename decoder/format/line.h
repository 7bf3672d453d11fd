/* SPDX-License-Identifier: MIT */
/*
 * Builds one line of output in memory of a fixed size. A part that does not fit is left out completely, but the end of
 * the line always fits. This file escapes text but does not interpret it. Functions that every event calls several
 * times are inline: for a constant text, they become one comparison and one or two stores.
 */
#ifndef TXTAP_DECODER_FORMAT_LINE_H
#define TXTAP_DECODER_FORMAT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "txtap/status.h"

/*
 * LINE_BYTES is more than the length of the longest line. An event in JSON has five names from the target and about 600
 * other characters. A name has at most 63 bytes, and each byte becomes at most six characters. An event of the event
 * logger has 255 words of 20 characters each.
 */
#define LINE_BYTES        8192
#define LINE_ENDING_BYTES 2
#define LINE_SLACK_BYTES  64 /* a copy of fixed size may write this many bytes after the end of its part */
#define LINE_ROOM_BYTES   (LINE_BYTES + LINE_SLACK_BYTES)

struct line {
    char *start, *at, *end;   /* at <= end; after end there is room for the line's ending and the slack */
    size_t hidden;            /* number of bytes so far that take no column on a terminal */
    enum txtap_status status; /* status of the write that made room for the line */
};

/* Starts a line. room: LINE_ROOM_BYTES bytes, borrowed until the line is ended. */
static inline void line_start(struct line *line, char *room)
{
    line->start = line->at = room;
    line->end = room + LINE_BYTES - LINE_ENDING_BYTES;
    line->hidden = 0;
    line->status = TXTAP_OK;
}

/* Returns the number of columns that the line takes so far. Colour sequences take no columns. */
static inline size_t line_columns(const struct line *line)
{
    return (size_t)(line->at - line->start) - line->hidden;
}

/*
 * Returns true if the line has room for all of these bytes. If not, the caller writes nothing, because half of an
 * escape sequence or half of a character would harm the output.
 */
static inline bool line_has_room(const struct line *line, size_t bytes)
{
    return (size_t)(line->end - line->at) >= bytes;
}

/* Writes a text that comes from txtap itself and is printable ASCII. */
static inline void line_text(struct line *line, const char *text)
{
    size_t length = strlen(text);

    if (!line_has_room(line, length))
        return;
    memcpy(line->at, text, length);
    line->at += length;
}

/* Writes the first `length` of the 64 bytes at text; length is at most 64. columns: the number of columns that these
 * bytes take. */
static inline void line_padded(struct line *line, const char text[static 64], size_t length, size_t columns)
{
    if (!line_has_room(line, length))
        return;
    memcpy(line->at, text, 32);
    if (length > 32)
        memcpy(line->at + 32, text + 32, 32);
    line->at += length;
    line->hidden += length - columns;
}

static inline void line_blanks(struct line *line, size_t count)
{
    if (!line_has_room(line, count))
        return;
    if (count <= 32)
        memcpy(line->at, "                                ", 32);
    else
        memset(line->at, ' ', count);
    line->at += count;
}

#define LINE_DECIMAL_BYTES 20 /* room for the longest 64-bit number; a number is left out if there is less room */

void line_decimal(struct line *line, uint64_t value);

/* Like line_decimal(), with a minus sign before a negative number. */
void line_signed(struct line *line, int64_t value);

/* Writes the four words of an event, with commas between them. */
void line_decimals(struct line *line, const uint32_t values[static 4]);

/* Writes 0x and a hexadecimal number. digits: minimum number of digits, 1 to 8. */
void line_hex(struct line *line, uint32_t value, unsigned digits);
void line_ipv4(struct line *line, uint32_t address);

/* Writes a time in seconds with six decimals, right-aligned in `width` columns, the same in any locale. sign: character
 * before the number, or 0. */
void line_seconds_right(struct line *line, char sign, uint64_t ticks, double tick_hz, size_t width);
void line_decimal_right(struct line *line, char sign, uint64_t value, size_t width);

/* Writes the exact value of value / 10^decimals. decimals: 0 to 9. */
void line_scaled(struct line *line, uint32_t value, unsigned decimals);

/*
 * Writes a finite IEEE 754 binary32, given by its bits. Writes up to nine digits, so that different numbers look
 * different. The result is a valid JSON number.
 */
void line_float(struct line *line, uint32_t bits);

/* Writes blanks up to `column`; the first column is 0. Writes at least two blanks, so that columns stay apart if a text
 * is too long. */
static inline void line_column(struct line *line, size_t column)
{
    size_t columns = line_columns(line);

    line_blanks(line, column > columns + 2 ? column - columns : 2);
}

/* Removes the blanks at the line's end. */
static inline void line_strip_blanks(struct line *line)
{
    while (line->at > line->start && line->at[-1] == ' ')
        line->at--;
}

/* Writes an ANSI colour sequence, which takes no columns; "" for no colour. */
void line_color(struct line *line, const char *sequence);

/*
 * Returns true if the target's text can be shown without quotes between blanks and after '='. blanks: the text may
 * contain single blanks.
 */
bool line_is_plain(const char *text, bool blanks);

/*
 * Writes the target's text for a terminal. Bytes that are not printable UTF-8 become \xNN; quotes and backslashes get a
 * backslash.
 */
void line_terminal(struct line *line, const char *text);

/*
 * Writes a JSON string with its quotes. The result is valid JSON for any bytes: bytes that are not UTF-8 become \ufffd,
 * and controls become \u00NN.
 */
void line_json(struct line *line, const char *text);

/*
 * Writes the text inside a quoted CSV cell. Quotes are doubled (RFC 4180). Backslashes get a backslash. Bytes that are
 * not printable UTF-8 become \xNN, so that no cell contains a line end or a control character for a terminal.
 */
void line_csv(struct line *line, const char *text);

#endif
