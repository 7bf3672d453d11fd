/* SPDX-License-Identifier: MIT */
/*
 * Uses the same escape sequences for every terminal, so no terminfo is needed: each terminal with a second screen,
 * which terminal.c needs, understands or ignores these attributes and colours. The mode "?2026" makes a terminal show
 * an update all at once, if the terminal supports this mode.
 */
#include "command/top/frame.h"

#include <stdio.h>
#include <string.h>

#include "txtap/inner/top.h"

#define BEGIN     "\033[?2026h"
#define END       "\033[?2026l"
#define PLAIN     "\033[0m"
#define ERASE     "\033[K"
#define BAR_UTF8  "\xe2\x96" /* the third byte of U+2581 to U+2588 is 0x81 to 0x88, like the cell */
#define BAR_ASCII " .:-=+*#@"

static void add(struct frame *frame, const char *bytes, size_t length)
{
    memcpy(frame->bytes + frame->used, bytes, length);
    frame->used += length;
}

static void add_text(struct frame *frame, const char *text)
{
    add(frame, text, strlen(text));
}

/* Red is bold, and yellow is a background, so that both can be read on light and on dark terminals. */
static void add_style(struct frame *frame, uint8_t style)
{
    add_text(frame, "\033[0");
    if (style & (TXTAP_TOP_BOLD | TXTAP_TOP_RED))
        add_text(frame, ";1");
    if (style & TXTAP_TOP_REVERSE)
        add_text(frame, ";7");
    if (frame->colours && style & TXTAP_TOP_RED)
        add_text(frame, ";31");
    else if (frame->colours && style & TXTAP_TOP_YELLOW)
        add_text(frame, ";30;43");
    add_text(frame, "m");
}

static void add_cell(struct frame *frame, char cell)
{
    unsigned height = (unsigned char)cell - TXTAP_TOP_CELL_BAR;

    if (height < 1 || height > 8) {
        add(frame, &cell, 1);
    } else if (frame->utf8) {
        add_text(frame, BAR_UTF8);
        add(frame, &cell, 1);
    } else {
        add(frame, &BAR_ASCII[height], 1);
    }
}

/* Adds a line, and erases the rest of the row. After a line of full width nothing is erased, because the sequence would
 * erase the last character. */
static void add_line(struct frame *frame, size_t row, const char *cells, const uint8_t *styles, size_t columns)
{
    char place[32];
    size_t length = columns;
    uint8_t style = 0;

    while (length > 0 && cells[length - 1] == ' ' && styles[length - 1] == 0)
        length--;
    snprintf(place, sizeof place, "\033[%zuH", row + 1);
    add_text(frame, place);
    for (size_t i = 0; i < length; i++) {
        if (styles[i] != style)
            add_style(frame, styles[i]);
        style = styles[i];
        add_cell(frame, cells[i]);
    }
    if (style != 0)
        add_text(frame, PLAIN);
    if (length < columns)
        add_text(frame, ERASE);
}

void frame_change(struct frame *frame, const char *cells, const uint8_t *styles, size_t rows, size_t columns)
{
    bool all = frame->rows != rows || frame->columns != columns;
    bool any = false;

    frame->used = 0;
    add_text(frame, BEGIN);
    for (size_t at = 0; at < rows * columns; at += columns) {
        if (!all && memcmp(cells + at, frame->cells + at, columns) == 0 &&
            memcmp(styles + at, frame->styles + at, columns) == 0)
            continue;
        add_line(frame, at / columns, cells + at, styles + at, columns);
        any = true;
    }
    add_text(frame, END);
    if (!any)
        frame->used = 0;
    frame->rows = rows;
    frame->columns = columns;
    memcpy(frame->cells, cells, rows * columns);
    memcpy(frame->styles, styles, rows * columns);
}
