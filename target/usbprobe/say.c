/* SPDX-License-Identifier: MIT */
/* Lines on standard error. */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>

bool fail(const char *format, ...)
{
    va_list arguments;
    char line[512];
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            *c = '?'; /* file names may contain control characters */
    fprintf(stderr, "usbprobe: %s\n", line);
    return false;
}
