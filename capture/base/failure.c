/* SPDX-License-Identifier: MIT */
/* Formats errors, and text from outside. */
#include "base/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Names of files and of devices on USB may have any; other control characters are escaped on their way out. */
static void join_lines(char *text)
{
    while ((text = strchr(text, '\n')) != NULL)
        *text = ' ';
}

enum txtap_status failure(struct error *error, enum txtap_status status, const char *format, ...)
{
    char text[ERROR_TEXT_BYTES], *hint;
    va_list arguments;

    if (error == NULL)
        return status;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hint = strchr(format, '\n') != NULL ? strrchr(text, '\n') : NULL;
    if (hint != NULL)
        *hint++ = '\0';
    join_lines(text);
    snprintf(error->what, sizeof error->what, "%.*s", ERROR_WHAT_BYTES - 1, text);
    snprintf(error->hint, sizeof error->hint, "%.*s", ERROR_HINT_BYTES - 1, hint != NULL ? hint : "");
    return error->status = status;
}

char *error_text(const struct error *error, char text[static ERROR_TEXT_BYTES])
{
    snprintf(text, ERROR_TEXT_BYTES, "%s%s%s", error->what, error->hint[0] ? ": " : "", error->hint);
    return text;
}

char *printable(char *out, size_t size, const char *bytes, size_t length)
{
    size_t used = 0;

    for (size_t i = 0; i < length && used + 1 < size; i++) {
        char c = bytes[i];

        if (c == '\n' || c == '\r' || c == '\t')
            c = ' ';
        if (c < ' ' || c > '~')
            c = '.';
        if (c == ' ' && (used == 0 || out[used - 1] == ' '))
            continue;
        out[used++] = c;
    }
    while (used > 0 && out[used - 1] == ' ')
        used--;
    out[used] = '\0';
    return out;
}
