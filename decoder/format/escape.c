/* SPDX-License-Identifier: MIT */
/* Makes a target's text safe for a terminal: escapes control characters and broken UTF-8. */
#include "txtap/escape.h"

#include <string.h>

#include "format/line.h"

char *txtap_escape_terminal(char *out, size_t size, const char *text)
{
    char room[LINE_ROOM_BYTES];
    struct line line;
    size_t length;

    line_start(&line, room);
    line_terminal(&line, text);
    length = (size_t)(line.at - room);
    if (length >= size)
        length = size - 1;
    memcpy(out, room, length);
    out[length] = '\0';
    return out;
}
