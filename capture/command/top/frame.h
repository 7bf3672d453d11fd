/* SPDX-License-Identifier: MIT */
/* Updates the terminal's screen with few bytes: writes only the lines that changed. */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_FRAME_H
#define TXTAP_CAPTURE_COMMAND_TOP_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#define FRAME_ROWS_MAX    1000u
#define FRAME_COLUMNS_MAX 500u

/* The contents of the terminal. All 0: unknown. */
struct frame {
    size_t rows, columns, highlighted; /* rows 0: unknown */
    char cells[FRAME_ROWS_MAX * FRAME_COLUMNS_MAX];
    char bytes[FRAME_ROWS_MAX * (FRAME_COLUMNS_MAX + 32) + 64]; /* bytes to write */
    size_t used;
};

/*
 * Fills frame->bytes with the bytes that make the terminal's screen equal to `cells`, in one update. Sets frame->used
 * to 0 if the screen is already equal. cells: `rows` x `columns` characters without control characters. highlighted:
 * index of a row; `rows`: no row is highlighted.
 */
void frame_change(struct frame *frame, const char *cells, size_t rows, size_t columns, size_t highlighted);

#endif
