/* SPDX-License-Identifier: MIT */
/* Text in columns, counted in characters. */
#ifndef TXTAP_CAPTURE_FIGURES_COLUMN_H
#define TXTAP_CAPTURE_FIGURES_COLUMN_H

#include <stdio.h>

/* Does the byte go on with a character? */
static inline int column_goes_on(char byte)
{
    return ((unsigned char)byte & 0xC0u) == 0x80u;
}

/* How many characters a text has. */
static inline int column_length(const char *text)
{
    int length = 0;

    for (; *text != '\0'; text++)
        length += !column_goes_on(*text);
    return length;
}

/* How many bytes its first characters have: as many as there are columns, none if they are less than 0. */
static inline int column_bytes(const char *text, int columns)
{
    int bytes = 0;

    for (; text[bytes] != '\0' && (columns > 0 || column_goes_on(text[bytes])); bytes++)
        columns -= !column_goes_on(text[bytes]) ? 1 : 0;
    return bytes;
}

/* At the left, cut if it is longer, filled up if it is shorter. */
static inline void column_left(FILE *out, const char *text, int columns)
{
    int shown = 0;

    for (; *text != '\0' && shown < columns; shown += !column_goes_on(*text), text++)
        fputc(*text, out);
    for (; column_goes_on(*text); text++)
        fputc(*text, out);
    fprintf(out, "%*s", columns - shown, "");
}

/* The same at the right. */
static inline void column_right(FILE *out, const char *text, int columns)
{
    int length = 0;

    for (const char *at = text; *at != '\0' && length < columns; at++)
        length += !column_goes_on(*at);
    fprintf(out, "%*s", columns - length, "");
    column_left(out, text, length);
}

#endif
