/* SPDX-License-Identifier: MIT */
/* Makes a target's text safe for a terminal, for JSON and for XML: escapes control characters and broken UTF-8. */
#include "txtap/inner/escape.h"

#include <string.h>

#include "base/text.h"
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

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* May XML 1.0 contain this character of UTF-8? */
static bool is_xml(const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0];

    if (length == 1)
        return first >= 0x20 || first == '\t' || first == '\n' || first == '\r';
    return memcmp(text, "\xef\xbf\xbe", 3) != 0 && memcmp(text, "\xef\xbf\xbf", 3) != 0; /* U+FFFE, U+FFFF */
}

/* What stands for a character that XML has a meaning for; line ends would become blanks in an attribute. NULL: itself.
 */
static const char *xml_reference(char character)
{
    static const char *const references[] = {
        ['\t'] = "&#9;", ['\n'] = "&#10;", ['\r'] = "&#13;", ['"'] = "&quot;",
        ['&'] = "&amp;", ['\''] = "&#39;", ['<'] = "&lt;",   ['>'] = "&gt;",
    };
    unsigned char byte = (unsigned char)character;

    return byte < sizeof references / sizeof *references ? references[byte] : NULL;
}

char *txtap_escape_xml(char *out, size_t size, const char *text)
{
    size_t at = 0;

    while (*text != '\0') {
        size_t length = utf8_length(text), bytes = length;
        const char *piece = xml_reference(*text);

        if (length == 0 || !is_xml(text, length))
            piece = REPLACEMENT;
        if (piece != NULL)
            bytes = strlen(piece);
        if (bytes >= size - at)
            break;
        memcpy(out + at, piece != NULL ? piece : text, bytes);
        at += bytes;
        text += length > 0 ? length : 1;
    }
    out[at] = '\0';
    return out;
}
