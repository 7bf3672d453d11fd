/* SPDX-License-Identifier: MIT */
/* Columns of text: a column is one UTF-8 character wide. */
#ifndef TXTAP_CAPTURE_FIGURES_COLUMNS_H
#define TXTAP_CAPTURE_FIGURES_COLUMNS_H

#include <stdio.h>

/* Returns true if the byte continues a UTF-8 character. */
static inline int column_goes_on(char byte)
{
    return ((unsigned char)byte & 0xC0u) == 0x80u;
}

/* Returns the number of characters in a text. */
static inline int column_length(const char *text)
{
    int length = 0;

    for (; *text != '\0'; text++)
        length += !column_goes_on(*text);
    return length;
}

/* Prints the first `columns` characters of a text, or all of a shorter text. Returns the number of characters
 * that it printed. */
static inline int column_put(FILE *out, const char *text, int columns)
{
    int shown = 0;

    for (; *text != '\0' && (shown < columns || column_goes_on(*text)); text++) {
        shown += !column_goes_on(*text);
        fputc(*text, out);
    }
    return shown;
}

/* Prints a text right-aligned in a column. Cuts a text that is longer than the column. */
static inline void column_right(FILE *out, const char *text, int columns)
{
    int length = column_length(text);

    fprintf(out, "%*s", length < columns ? columns - length : 0, "");
    (void)column_put(out, text, columns);
}

#endif
