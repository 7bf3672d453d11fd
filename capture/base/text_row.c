/* SPDX-License-Identifier: MIT */
/* Wraps a text beside its key. Knows nothing about its content. */
#include "base/text_row.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define KEY_COLUMNS 11u

/* The bytes that go on this line: up to the last blank within the width, or else to the first blank behind it. */
static size_t line_length(const char *text, size_t columns)
{
    size_t length = strlen(text), end = columns - KEY_COLUMNS;

    if (length <= end)
        return length;
    while (end > 0 && text[end] != ' ')
        end--;
    return end > 0 ? end : strcspn(text, " ");
}

void text_row_within(char *row, size_t size, size_t columns, const char *key, const char *text)
{
    size_t used = 0;

    do {
        size_t part = line_length(text, columns);
        int written = snprintf(row + used, size - used, "%-*s%.*s\n", (int)KEY_COLUMNS, key, (int)part, text);

        used += written > 0 ? (size_t)written : 0;
        text += part;
        text += *text == ' ';
        key = "";
    } while (*text != '\0' && used < size);
}

void text_row(const char *key, const char *format, ...)
{
    char text[TEXT_ROW_BYTES], row[2 * TEXT_ROW_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_row_within(row, sizeof row, TEXT_ROW_COLUMNS, key, text);
    fputs(row, stdout);
}
