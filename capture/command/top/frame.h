/* SPDX-License-Identifier: MIT */
/* Updates the terminal's screen with few bytes: writes only the lines that changed. All attributes become escape
 * sequences here. */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_FRAME_H
#define TXTAP_CAPTURE_COMMAND_TOP_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_ROWS_MAX    1000u
#define FRAME_COLUMNS_MAX 500u
#define FRAME_CELLS_MAX   ((size_t)FRAME_ROWS_MAX * FRAME_COLUMNS_MAX)
#define FRAME_CELL_BYTES  16u /* for a bar after a change of attributes */

/* The contents of the terminal. All 0: unknown. */
struct frame {
    bool colours, utf8;   /* set by the caller; without UTF-8, bars are ASCII characters */
    size_t rows, columns; /* rows 0: unknown */
    char cells[FRAME_CELLS_MAX];
    uint8_t styles[FRAME_CELLS_MAX];
    char bytes[FRAME_CELLS_MAX * FRAME_CELL_BYTES + FRAME_ROWS_MAX * 32 + 64]; /* bytes to write */
    size_t used;
};

/*
 * Fills frame->bytes with the bytes that make the terminal's screen equal to `cells`, in one update. Sets frame->used
 * to 0 if the screen is already equal. cells, styles: `rows` x `columns` cells as in struct txtap_top_screen.
 */
void frame_change(struct frame *frame, const char *cells, const uint8_t *styles, size_t rows, size_t columns);

#endif
