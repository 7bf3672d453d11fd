/* SPDX-License-Identifier: MIT */
/* A row of output: a key, and beside it a text, wrapped if it is too wide. */
#ifndef TXTAP_CAPTURE_BASE_TEXT_ROW_H
#define TXTAP_CAPTURE_BASE_TEXT_ROW_H

#include <stddef.h>

#define TEXT_ROW_COLUMNS 120u
#define TEXT_ROW_BYTES   2048u

/* Prints a row. key: at most 10 bytes. A text of more than TEXT_ROW_BYTES is cut. */
void text_row(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Formats a row, with its line feeds. No line has more than columns (>= 40) bytes, unless one word is longer. */
void text_row_within(char *row, size_t size, size_t columns, const char *key, const char *text);

#endif
