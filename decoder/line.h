/* SPDX-License-Identifier: MIT */
/*
 * Builds one line of output in memory of a fixed size and writes it in one call, so that a line is never torn. What
 * does not fit is left out, the line's end never. Knows how to escape; does not know what it writes.
 */
#ifndef TXTAP_DECODER_LINE_H
#define TXTAP_DECODER_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/exporter.h"

/*
 * More than the longest line: an event in JSON has five names of the target's, 63 bytes each, each byte six
 * characters at worst, and about 600 characters around them.
 */
#define LINE_BYTES 4096

struct line {
    size_t length;
    size_t columns; /* on a terminal: characters, without colours */
    char text[LINE_BYTES];
};

void line_start(struct line *line);

/* text: ours, printable ASCII. */
void line_text(struct line *line, const char *text);
void line_decimal(struct line *line, uint64_t value);

/* 0x and at least that many digits. */
void line_hex(struct line *line, uint32_t value, unsigned digits);
void line_ipv4(struct line *line, uint32_t address);

/* Six decimals, whatever the locale; right-aligned in width columns. */
void line_seconds(struct line *line, uint64_t ticks, double tick_hz, size_t width);
void line_decimal_right(struct line *line, uint64_t value, size_t width);

/* Blanks up to that column (the first is 0), and never fewer than two: columns stay apart when one is too long. */
void line_column(struct line *line, size_t column);

/* An ANSI colour, "" for none: takes no columns. */
void line_color(struct line *line, const char *sequence);

/* Can the target's text stand without quotes, between blanks and after '='? blanks: single ones inside are fine. */
bool line_is_plain(const char *text, bool blanks);

/* The target's text for a terminal: what is not printable UTF-8 becomes \xNN, a quote or backslash gets a backslash. */
void line_terminal(struct line *line, const char *text);

/* A JSON string with its quotes. Valid JSON whatever the bytes: what is not UTF-8 becomes \ufffd, controls \u00NN. */
void line_json(struct line *line, const char *text);

/* Ends the line and hands it to the sink. */
enum txtap_status line_write(struct line *line, const struct txtap_sink *sink);

#endif
