/* SPDX-License-Identifier: MIT */
/* Fields of CSV tables (RFC 4180). */
#ifndef TXTAP_CAPTURE_FIGURES_CSV_H
#define TXTAP_CAPTURE_FIGURES_CSV_H

#include <stdio.h>

/* A text in quotes, its own ones doubled. */
static inline void csv_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

#endif
