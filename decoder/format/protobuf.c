/* SPDX-License-Identifier: MIT */
/* Protobuf's wire format: variable-length numbers, fixed-length numbers, and bytes with their length. */
#include "format/protobuf.h"

#include <string.h>

#include "base/text.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

void protobuf_fixed64(struct protobuf *message, unsigned field, uint64_t value)
{
    if (!protobuf_has_room(message, PROTOBUF_NUMBER_BYTES + sizeof value))
        return;
    protobuf_put_key(message, field, PROTOBUF_FIXED64);
    for (unsigned i = 0; i < sizeof value; i++)
        *message->at++ = (uint8_t)(value >> 8 * i);
}

/* Returns true if the UTF-8 character at text is a control character (U+0000 to U+001F, U+007F to U+009F). */
static bool is_control(const char *text)
{
    unsigned char first = (unsigned char)text[0], second;

    if (first < 0x20 || first == 0x7f)
        return true;
    second = first == 0xc2 ? (unsigned char)text[1] : 0xa0;
    return second < 0xa0;
}

/*
 * Copies the text to room, and replaces invalid bytes and control characters. room: PROTOBUF_TEXT_BYTES bytes. Returns
 * the length of the copy.
 */
static size_t clean(char *room, const char *text)
{
    size_t used = 0;

    while (*text != '\0') {
        size_t length = utf8_length(text), bytes = length;
        const char *piece = text;

        if (length == 0 || is_control(text)) {
            piece = REPLACEMENT;
            bytes = strlen(REPLACEMENT);
        }
        if (used + bytes > PROTOBUF_TEXT_BYTES)
            break;
        memcpy(room + used, piece, bytes);
        used += bytes;
        text += length > 0 ? length : 1;
    }
    return used;
}

void protobuf_text(struct protobuf *message, unsigned field, const char *text)
{
    char room[PROTOBUF_TEXT_BYTES];
    size_t length = clean(room, text);

    if (!protobuf_has_room(message, 2 * PROTOBUF_NUMBER_BYTES + length))
        return;
    protobuf_put_key(message, field, PROTOBUF_BYTES);
    message->at = protobuf_put(message->at, length);
    memcpy(message->at, room, length);
    message->at += length;
}

void protobuf_close_long(struct protobuf *message, uint8_t *begin)
{
    size_t length;

    if (begin == NULL)
        return;
    message->end += PROTOBUF_LENGTH_BYTES - 1;
    length = (size_t)(message->at - begin);
    memmove(begin + 1, begin, length);
    message->at++;
    (void)protobuf_put(begin - 1, length);
}
