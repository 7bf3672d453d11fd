/* SPDX-License-Identifier: MIT */
/*
 * Builds one line of output in memory of a fixed size. A part that does not fit is left out completely; the line's end
 * always fits. Knows how to escape, but not the meaning of the text. Functions that every event calls several times are
 * inline: for a constant text they become one comparison and one or two stores.
 */
#ifndef TXTAP_DECODER_FORMAT_LINE_H
#define TXTAP_DECODER_FORMAT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "txtap/status.h"

/*
 * Longer than the longest line. An event in JSON has five names from the target, of 63 bytes each, each byte at most
 * six characters, and about 600 other characters. An event of the event logger has 255 words of 20 characters.
 */
#define LINE_BYTES        8192
#define LINE_ENDING_BYTES 2
#define LINE_SLACK_BYTES  64 /* copies of fixed size may write this many bytes after their part */
#define LINE_ROOM_BYTES   (LINE_BYTES + LINE_SLACK_BYTES)

struct line {
    char *start, *at, *end;   /* at <= end; after end there is room for the line's ending and the slack */
    size_t hidden;            /* bytes so far that take no column on a terminal */
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

/* Returns the number of columns so far: the characters without colour sequences. */
static inline size_t line_columns(const struct line *line)
{
    return (size_t)(line->at - line->start) - line->hidden;
}

/*
 * Returns true if the line has room for all of these bytes. If not, the caller writes nothing, because half an escape
 * sequence or half a character would be worse.
 */
static inline bool line_has_room(const struct line *line, size_t bytes)
{
    return (size_t)(line->end - line->at) >= bytes;
}

/* Writes a text of txtap's own, which is printable ASCII. */
static inline void line_text(struct line *line, const char *text)
{
    size_t length = strlen(text);

    if (!line_has_room(line, length))
        return;
    memcpy(line->at, text, length);
    line->at += length;
}

/* Writes the first length (<= 64) of the 64 bytes at text. columns: the number of columns that these bytes take. */
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

#define LINE_DECIMAL_BYTES 20 /* room for the longest 64-bit number; no number is written into less room */

void line_decimal(struct line *line, uint64_t value);

/* Writes the four words of an event, with commas between them. */
void line_decimals(struct line *line, const uint32_t values[static 4]);

/* Writes 0x and a hexadecimal number. digits: least number of digits, 1 to 8. */
void line_hex(struct line *line, uint32_t value, unsigned digits);
void line_ipv4(struct line *line, uint32_t address);

/* Writes six decimals, in any locale, right-aligned in width columns. sign: written before them, or 0. */
void line_seconds_right(struct line *line, char sign, uint64_t ticks, double tick_hz, size_t width);
void line_decimal_right(struct line *line, char sign, uint64_t value, size_t width);

/* Writes value / 10^decimals, exactly. decimals: 0 to 9. */
void line_scaled(struct line *line, uint32_t value, unsigned decimals);

/*
 * Writes a finite IEEE 754 binary32, given by its bits, with up to nine digits, so different numbers look different.
 * The result is a valid JSON number.
 */
void line_float(struct line *line, uint32_t bits);

/* Writes blanks up to `column` (the first is 0), but at least two, so that columns stay apart if a text is too long. */
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
 * Returns true if the target's text can be shown without quotes, between blanks and after '='. blanks: single blanks
 * inside are allowed.
 */
bool line_is_plain(const char *text, bool blanks);

/*
 * Writes the target's text for a terminal. Bytes that are not printable UTF-8 become \xNN; quotes and backslashes get a
 * backslash.
 */
void line_terminal(struct line *line, const char *text);

/*
 * Writes a JSON string with its quotes. Valid JSON for any bytes: bytes that are not UTF-8 become \ufffd, controls
 * \u00NN.
 */
void line_json(struct line *line, const char *text);

/*
 * Writes the inside of a quoted CSV cell. Quotes are doubled (RFC 4180). Bytes that are not printable UTF-8 become
 * \xNN, so that no cell has a line end or controls a terminal. Backslashes get a backslash.
 */
void line_csv(struct line *line, const char *text);

#endif
