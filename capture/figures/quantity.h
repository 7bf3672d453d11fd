/* SPDX-License-Identifier: MIT */
/* A number of a figure with its unit; a text in CSV. */
#ifndef TXTAP_CAPTURE_FIGURES_QUANTITY_H
#define TXTAP_CAPTURE_FIGURES_QUANTITY_H

#include <stdio.h>

#include "txtap/figure.h"

#define QUANTITY_BYTES 48

/* "213.5 us", "12 ticks", "41.2%", "7 bytes", "7". tick_hz: 0: ticks stay ticks. Returns out. */
const char *quantity_text(char out[static QUANTITY_BYTES], double number, enum txtap_unit unit, double tick_hz);

/* Writes the number with all its digits, so that who reads it finds the same one; otherwise: if it is not finite. */
void quantity_put(FILE *out, double number, const char *otherwise);

/* ,"KEY":NUMBER for JSON; null if it is not finite. */
void quantity_put_member(FILE *out, const char *key, double number);

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
