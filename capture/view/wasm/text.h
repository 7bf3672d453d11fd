/* SPDX-License-Identifier: MIT */
/* A text that grows. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_TEXT_H
#define TXTAP_CAPTURE_VIEW_WASM_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* All 0: empty. at[length] is NUL, unless at is NULL. */
struct text {
    char *at;
    size_t length, capacity;
    bool failed; /* memory ran out, and a part is missing */
};

void text_clear(struct text *text); /* keeps its memory */
void text_free(struct text *text);
void text_add(struct text *text, const char *bytes, size_t length);
void text_print(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_print_list(struct text *text, const char *format, va_list list) __attribute__((format(printf, 2, 0)));

/* Adds a JSON string: see txtap_escape_json(). */
void text_json(struct text *text, const char *string);

#endif
