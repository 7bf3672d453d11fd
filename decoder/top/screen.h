/* SPDX-License-Identifier: MIT */
/* Text at a place of the screen: what does not fit is cut, and what is not printable ASCII is escaped. */
#ifndef TXTAP_DECODER_TOP_SCREEN_H
#define TXTAP_DECODER_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "txtap/inner/top.h"

#define SCREEN_TEXT_BYTES (TXTAP_TOP_COLUMNS_MAX + 1)

void screen_clear(struct txtap_top_screen *screen);

/* Up to width characters; a row or column outside of the screen is ignored. A text that is cut ends with '~'. */
void screen_put(struct txtap_top_screen *screen, size_t row, size_t column, size_t width, const char *text);

/* The same, at the right end of the width. A number never is cut: '#' stands for one that does not fit. */
void screen_put_right(struct txtap_top_screen *screen, size_t row, size_t column, size_t width, const char *text);

/* From column 0. */
void screen_print(struct txtap_top_screen *screen, size_t row, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void screen_rule(struct txtap_top_screen *screen, size_t row);

/* Copies text so that it is printable ASCII: other bytes become \xNN. A text that does not fit ends with '~'. */
void screen_name(char *out, size_t size, const char *text);

#endif
