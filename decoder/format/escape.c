/* SPDX-License-Identifier: MIT */
/* Makes a target's text safe for a terminal, and for JSON: escapes control characters and broken UTF-8. */
#include "txtap/escape.h"

#include <string.h>

#include "format/line.h"

#define TEXT_BYTES_MAX 1024u /* six characters each fit into a line */

_Static_assert(TXTAP_ESCAPED_JSON_BYTES(TEXT_BYTES_MAX) < LINE_BYTES - LINE_ENDING_BYTES, "a whole text fits");

/* Copies what fits of the line. Returns out. */
static char *copy_line(char *out, size_t size, const struct line *line)
{
    size_t length = (size_t)(line->at - line->start);

    if (length >= size)
        length = size - 1;
    memcpy(out, line->start, length);
    out[length] = '\0';
    return out;
}

char *txtap_escape_terminal(char *out, size_t size, const char *text)
{
    char room[LINE_ROOM_BYTES];
    struct line line;

    line_start(&line, room);
    line_terminal(&line, text);
    return copy_line(out, size, &line);
}

char *txtap_escape_json(char *out, size_t size, const char *text)
{
    char room[LINE_ROOM_BYTES];
    struct line line;

    line_start(&line, room);
    line_json(&line, strlen(text) <= TEXT_BYTES_MAX ? text : "");
    return (size_t)(line.at - line.start) < size ? copy_line(out, size, &line) : strcpy(out, "\"\"");
}
