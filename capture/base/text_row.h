/* SPDX-License-Identifier: MIT */
/* A row of text: a key, and beside it a text that is continued below where it is too wide. */
#ifndef TXTAP_CAPTURE_BASE_TEXT_ROW_H
#define TXTAP_CAPTURE_BASE_TEXT_ROW_H

#include <stddef.h>

#define TEXT_ROW_COLUMNS 120u
#define TEXT_ROW_BYTES   2048u

/* Prints one. key: 10 bytes at most. A text of more than TEXT_ROW_BYTES is cut. */
void text_row(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same into row, with its line feeds: at most TEXT_ROW_COLUMNS bytes a line, but for a word that is longer. */
void text_row_text(char *row, size_t size, const char *key, const char *text);

#endif
