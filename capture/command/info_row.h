/* SPDX-License-Identifier: MIT */
/* A row of what txtap info says: a key, and beside it a text that is continued below where it is too wide. */
#ifndef TXTAP_CAPTURE_COMMAND_INFO_ROW_H
#define TXTAP_CAPTURE_COMMAND_INFO_ROW_H

#include <stddef.h>

#define INFO_COLUMNS   120u
#define INFO_ROW_BYTES 2048u

/* Prints one. key: 10 bytes at most. A text of more than INFO_ROW_BYTES is cut. */
void info_row(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same into row, with its line feeds: at most INFO_COLUMNS bytes a line, but for a word that is longer. */
void info_row_text(char *row, size_t size, const char *key, const char *text);

#endif
