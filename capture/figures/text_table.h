/* SPDX-License-Identifier: MIT */
/*
 * A table of text, as wide as its content. If the table is too wide, it drops columns, and then cuts the names:
 *
 *     text_table_begin(&table, columns, 3);
 *     for each row: text_table_put(&table, text), once for each column
 *     text_table_end(&table, width, out);
 */
#ifndef TXTAP_CAPTURE_FIGURES_TEXT_TABLE_H
#define TXTAP_CAPTURE_FIGURES_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TEXT_TABLE_COLUMNS 16
#define TEXT_ENDLESS       0 /* a width without a limit */

struct text_column {
    const char *head;
    uint8_t kept; /* above 0: a column of names, which is left-aligned and may be cut. If the table is too wide, columns
                     are dropped until this column has at least this width. 0: right-aligned, never cut */
    uint8_t drop; /* 0: always shown; the column with the largest number is dropped first */
    uint8_t least; /* minimum width, if there is room */
};

struct text_table {
    const struct text_column *columns; /* borrowed; column_count elements */
    size_t column_count;
    char *cells; /* the texts, each with its NUL */
    size_t cells_bytes, cells_room;
    size_t cell_count;
    bool failed; /* no memory for a cell */
};

void text_table_begin(struct text_table *table, const struct text_column *columns, size_t column_count);

/* Adds a copy of the text as the next cell of the row. */
void text_table_put(struct text_table *table, const char *text);

/* Prints the head and the rows within `width` columns (TEXT_ENDLESS: no limit), and frees the table. The head of
 * the first column has a line of its own if it is longer than the column. A width below 40 means 40. Prints nothing if
 * there is no row. Returns false if there was no memory. */
bool text_table_end(struct text_table *table, unsigned width, FILE *out);

#endif
