/* SPDX-License-Identifier: MIT */
/* Turns one screen of characters into the next with few bytes: only lines that changed are written again. */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_FRAME_H
#define TXTAP_CAPTURE_COMMAND_TOP_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#define FRAME_ROWS_MAX    1000u
#define FRAME_COLUMNS_MAX 500u

/* What is on the terminal. All 0: nothing is known of it. */
struct frame {
    size_t rows, columns, highlighted; /* rows 0: not known */
    char cells[FRAME_ROWS_MAX * FRAME_COLUMNS_MAX];
    char bytes[FRAME_ROWS_MAX * (FRAME_COLUMNS_MAX + 32) + 64]; /* to be written */
    size_t used;
};

/*
 * Fills bytes with what turns the terminal's screen into this one, as one update; used is 0 if they are the same.
 * cells: rows x columns characters without control characters. highlighted: a row, or rows.
 */
void frame_change(struct frame *frame, const char *cells, size_t rows, size_t columns, size_t highlighted);

#endif
