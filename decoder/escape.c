/* SPDX-License-Identifier: MIT */
#include "txtap/escape.h"

#include <string.h>

#include "line.h"

char *txtap_escape_terminal(char *out, size_t size, const char *text)
{
    struct line line;
    size_t length;

    line_start(&line);
    line_terminal(&line, text);
    length = line.length < size ? line.length : size - 1;
    memcpy(out, line.text, length);
    out[length] = '\0';
    return out;
}
