/* SPDX-License-Identifier: MIT */
/* Tables whose columns depend on the width of the screen. Knows nothing of what is in them. */
#ifndef TXTAP_DECODER_TOP_GRID_H
#define TXTAP_DECODER_TOP_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "txtap/inner/top.h"

#define GRID_COLUMNS_MAX 16u
#define GRID_TEXT_BYTES  64

struct grid_column {
    const char *title;
    unsigned rank;  /* where there is too little room, the column of the highest rank goes first */
    unsigned width; /* at least */
    unsigned width_max;
    bool number; /* at the right end, and never cut */
};

struct grid_kind {
    const struct grid_column *columns; /* count of them, at most GRID_COLUMNS_MAX */
    size_t count;
    /* The text of a row in a column. */
    const char *(*cell)(const struct txtap_top_state *state, size_t row, size_t column, char text[GRID_TEXT_BYTES]);
};

/* A table with the columns that fit. */
struct grid {
    const struct grid_kind *kind;
    unsigned width[GRID_COLUMNS_MAX]; /* 0: it is not shown */
};

void grid_fit(struct grid *grid, const struct grid_kind *kind, size_t columns);
void grid_head(const struct grid *grid, struct txtap_top_screen *screen, size_t row);

/* Draws row number of the table. */
void grid_row(const struct grid *grid, const struct txtap_top_state *state, size_t number,
              struct txtap_top_screen *screen, size_t row);

#endif
