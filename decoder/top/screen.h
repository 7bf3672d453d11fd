/* SPDX-License-Identifier: MIT */
/* Writes text, bars and attributes at a place on the screen. Text that does not fit is cut; bytes other than printable
 * ASCII are escaped. */
#ifndef TXTAP_DECODER_TOP_SCREEN_H
#define TXTAP_DECODER_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/inner/top.h"

#define SCREEN_TEXT_BYTES (TXTAP_TOP_COLUMNS_MAX + 1)

void screen_clear(struct txtap_top_screen *screen);

/* Makes a row empty. */
void screen_erase(struct txtap_top_screen *screen, size_t row);

/* Writes up to width characters. A place outside the screen is ignored. A cut text ends with '~'. */
void screen_put(struct txtap_top_screen *screen, size_t row, size_t column, size_t width, const char *text);

/* Like screen_put(), but right-aligned in the width. A number is never cut: if the number does not fit, '#' is
 * shown. */
void screen_put_right(struct txtap_top_screen *screen, size_t row, size_t column, size_t width, const char *text);

/* Writes one bar per cell, right-aligned. heights: '0' to '8'; any other character is written itself. If the width is
 * too small, the first bars are left out. */
void screen_put_bars(struct txtap_top_screen *screen, size_t row, size_t column, size_t width, const char *heights);

/* Adds attributes to `width` cells. */
void screen_style(struct txtap_top_screen *screen, size_t row, size_t column, size_t width, uint8_t style);

/* Writes text in a row from `column` on, with these attributes. Returns the column after the text. */
size_t screen_append(struct txtap_top_screen *screen, size_t row, size_t column, uint8_t style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Writes text in a row, from column 0 on. */
void screen_print(struct txtap_top_screen *screen, size_t row, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void screen_rule(struct txtap_top_screen *screen, size_t row);

/* Copies text as printable ASCII: other bytes become \xNN. A text that does not fit is cut and ends with '~'. */
void screen_name(char *out, size_t size, const char *text);

/* ---- tables whose columns depend on the width of the screen ---- */

#define GRID_COLUMNS_MAX 16u
#define GRID_TEXT_BYTES  64

#define GRID_RANK_OPTIONAL 8u
#define GRID_UNSORTED      SIZE_MAX

enum grid_form {
    GRID_TEXT,   /* left-aligned; a text that does not fit is cut */
    GRID_NUMBER, /* right-aligned, and never cut */
    GRID_BARS,   /* text for screen_put_bars() */
};

struct grid_column {
    const char *title;
    unsigned rank; /* if the screen is too narrow, the column with the highest rank is left out first */
    /* In characters. Text gets less than `width` only if no column with GRID_RANK_OPTIONAL or more is left. */
    unsigned width_least, width, width_most;
    enum grid_form form;
};

struct grid_kind {
    const struct grid_column *columns; /* `count` columns, at most GRID_COLUMNS_MAX */
    size_t count;
    /* Returns the text of the cell in this row and column. */
    const char *(*cell)(const struct txtap_top_state *state, size_t row, size_t column, char text[GRID_TEXT_BYTES]);
    /* Returns the attributes of this cell. */
    uint8_t (*style)(const struct txtap_top_state *state, size_t row, size_t column);
};

/* A table, reduced to the columns that fit on the screen. */
struct grid {
    const struct grid_kind *kind;
    unsigned width[GRID_COLUMNS_MAX]; /* width of each column; 0: the column is left out */
};

void grid_fit(struct grid *grid, const struct grid_kind *kind, size_t columns);

/* Draws the titles. sorted: the column by which the rows are sorted, or GRID_UNSORTED. */
void grid_head(const struct grid *grid, struct txtap_top_screen *screen, size_t row, size_t sorted);

/* Draws one row of the table. */
void grid_row(const struct grid *grid, const struct txtap_top_state *state, size_t number,
              struct txtap_top_screen *screen, size_t row);

#endif
