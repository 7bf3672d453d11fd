/* SPDX-License-Identifier: MIT */
/* A stream that appends its bytes to a growing buffer. */
#include "base/text_maker.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define ROOM_BYTES 4096

static bool make_room(struct text_maker *maker, size_t bytes)
{
    size_t wanted = maker->length + bytes, room = maker->room > 0 ? maker->room : ROOM_BYTES;
    char *text;

    while (room < wanted)
        room += room / 2;
    if (room == maker->room)
        return true;
    text = realloc(maker->text, room);
    if (text == NULL)
        return false;
    maker->text = text;
    maker->room = room;
    return true;
}

static ssize_t append(void *self, const char *bytes, size_t count)
{
    struct text_maker *maker = self;

    maker->failed = maker->failed || !make_room(maker, count);
    if (maker->failed)
        return 0; /* tells stdio that the write failed */
    memcpy(maker->text + maker->length, bytes, count);
    maker->length += count;
    return (ssize_t)count;
}

bool text_maker_begin(struct text_maker *maker)
{
    *maker = (struct text_maker){.text = NULL};
    maker->out = fopencookie(maker, "w", (cookie_io_functions_t){.write = append});
    return maker->out != NULL;
}

bool text_maker_end(struct text_maker *maker)
{
    bool failed = maker->out == NULL || fclose(maker->out) != 0 || maker->failed || !make_room(maker, 1);

    maker->out = NULL;
    if (failed) {
        free(maker->text);
        maker->text = NULL;
        maker->length = 0;
    }
    return !failed;
}

/* ---- rows ---- */

#define KEY_COLUMNS 11u

/* Returns the number of bytes for this line. The line ends at the last blank within `columns`. If a single word is
 * longer, the line ends after this word. */
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
