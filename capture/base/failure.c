/* SPDX-License-Identifier: MIT */
/* One line that says what went wrong. */
#include "base/failure.h"

#include <stdarg.h>
#include <stdio.h>

enum txtap_status failure(char error[static ERROR_TEXT_BYTES], enum txtap_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error, ERROR_TEXT_BYTES, format, arguments);
    va_end(arguments);
    return status;
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
