/* SPDX-License-Identifier: MIT */
/* Uses the same escape sequences for every terminal. The mode "?2026" makes a terminal show an update all at once, if
 * the terminal supports this mode. */
#include "command/top/frame.h"

#include <stdio.h>
#include <string.h>

#define BEGIN   "\033[?2026h"
#define END     "\033[?2026l"
#define REVERSE "\033[7m"
#define PLAIN   "\033[0m"
#define ERASE   "\033[K"

static void add(struct frame *frame, const char *bytes, size_t length)
{
    memcpy(frame->bytes + frame->used, bytes, length);
    frame->used += length;
}

static void add_text(struct frame *frame, const char *text)
{
    add(frame, text, strlen(text));
}

/* Adds a line, and erases the rest of the row. After a line of full width nothing is erased, because the sequence would
 * erase the last character. */
static void add_line(struct frame *frame, size_t row, const char *cells, size_t columns, bool reverse)
{
    char place[32];
    size_t length = columns;

    while (!reverse && length > 0 && cells[length - 1] == ' ')
        length--;
    snprintf(place, sizeof place, "\033[%zuH", row + 1);
    add_text(frame, place);
    if (reverse)
        add_text(frame, REVERSE);
    add(frame, cells, length);
    if (reverse)
        add_text(frame, PLAIN);
    if (length < columns)
        add_text(frame, ERASE);
}

void frame_change(struct frame *frame, const char *cells, size_t rows, size_t columns, size_t highlighted)
{
    bool all = frame->rows != rows || frame->columns != columns;
    bool any = false;

    frame->used = 0;
    add_text(frame, BEGIN);
    for (size_t row = 0; row < rows; row++) {
        const char *line = cells + row * columns;
        bool changed = (row == highlighted) != (row == frame->highlighted) ||
                       memcmp(line, frame->cells + row * columns, columns) != 0;

        if (!all && !changed)
            continue;
        add_line(frame, row, line, columns, row == highlighted);
        any = true;
    }
    add_text(frame, END);
    if (!any)
        frame->used = 0;
    frame->rows = rows;
    frame->columns = columns;
    frame->highlighted = highlighted;
    memcpy(frame->cells, cells, rows * columns);
}
