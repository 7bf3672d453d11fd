/* SPDX-License-Identifier: MIT */
/* A text in its own memory, whose size doubles. */
#include "view/wasm/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/escape.h"

static bool make_room(struct text *text, size_t more)
{
    size_t capacity = text->capacity > 0 ? text->capacity : 256;
    char *at;

    if (text->capacity - text->length > more)
        return true;
    while (capacity - text->length <= more)
        capacity *= 2;
    at = realloc(text->at, capacity);
    if (at == NULL) {
        text->failed = true;
        return false;
    }
    text->at = at;
    text->capacity = capacity;
    return true;
}

void text_clear(struct text *text)
{
    text->length = 0;
    text->failed = false;
    if (text->at != NULL)
        text->at[0] = '\0';
}

void text_free(struct text *text)
{
    free(text->at);
    *text = (struct text){0};
}

void text_add(struct text *text, const char *bytes, size_t length)
{
    if (!make_room(text, length))
        return;
    memcpy(text->at + text->length, bytes, length);
    text->length += length;
    text->at[text->length] = '\0';
}

void text_print_list(struct text *text, const char *format, va_list list)
{
    va_list again;
    int length;

    va_copy(again, list);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0 || !make_room(text, (size_t)length))
        return;
    (void)vsnprintf(text->at + text->length, (size_t)length + 1, format, list);
    text->length += (size_t)length;
}

void text_print(struct text *text, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    text_print_list(text, format, list);
    va_end(list);
}

void text_json(struct text *text, const char *string)
{
    char escaped[TXTAP_ESCAPED_JSON_BYTES(1024)];

    txtap_escape_json(escaped, sizeof escaped, string);
    text_add(text, escaped, strlen(escaped));
}
