/* SPDX-License-Identifier: MIT */
/* Lines on standard error. */
#include "messages.h"

#include <stdarg.h>
#include <stdio.h>

static void say(const char *format, va_list arguments)
{
    char line[512];
    /* One write per line: QEMU shares this stderr. */
    vsnprintf(line, sizeof line, format, arguments);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            *c = '?'; /* file names may contain control characters */
    fprintf(stderr, "vboard: %s\n", line);
}

bool fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    return false;
}

void note(bool enabled, const char *format, ...)
{
    if (!enabled)
        return;
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}
