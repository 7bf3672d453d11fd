/* SPDX-License-Identifier: MIT */
/* A text of any length in memory, written like a file. open_memstream() is not suitable: when memory runs out, the GNU
 * C library closes its stream without an error, and the text is NULL or has holes. */
#ifndef TXTAP_CAPTURE_BASE_TEXT_MAKER_H
#define TXTAP_CAPTURE_BASE_TEXT_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct text_maker {
    FILE *out;     /* the stream to write to; NULL: no memory at the start */
    char *text;    /* set by text_maker_end(); free() it */
    size_t length; /* bytes of the text; no 0 follows it */
    size_t room;
    bool failed;
};

/* Returns false if there is no memory. The maker must not move until text_maker_end(). */
bool text_maker_begin(struct text_maker *maker);

/* Closes maker->out. False: memory ran out since text_maker_begin(), and there is no text. */
bool text_maker_end(struct text_maker *maker);

#define TEXT_ROW_COLUMNS 120u
#define TEXT_ROW_BYTES   2048u

/* Prints a row. key: at most 10 bytes. A text of more than TEXT_ROW_BYTES is cut. */
void text_row(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Formats a row, with its line feeds. A line has at most `columns` bytes (`columns` >= 40), unless a single word is
 * longer. */
void text_row_within(char *row, size_t size, size_t columns, const char *key, const char *text);

#endif
