/* SPDX-License-Identifier: MIT */
/* Protobuf's wire format: variable-length numbers, fixed ones, and bytes with their length. */
#include "format/protobuf.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

enum wire_type { WIRE_NUMBER = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

#define NUMBER_BYTES 10             /* of the longest variable-length number */
#define LENGTH_BYTES 2              /* of a message's length at most: less than 16,384 */
#define REPLACEMENT  "\xef\xbf\xbd" /* U+FFFD */

static uint8_t *put(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

static bool has_room(const struct protobuf *message, size_t bytes)
{
    return (size_t)(message->end - message->at) >= bytes;
}

static void put_key(struct protobuf *message, unsigned field, enum wire_type type)
{
    message->at = put(message->at, field << 3 | type);
}

void protobuf_number(struct protobuf *message, unsigned field, uint64_t value)
{
    if (!has_room(message, 2 * NUMBER_BYTES))
        return;
    put_key(message, field, WIRE_NUMBER);
    message->at = put(message->at, value);
}

void protobuf_fixed64(struct protobuf *message, unsigned field, uint64_t value)
{
    if (!has_room(message, NUMBER_BYTES + sizeof value))
        return;
    put_key(message, field, WIRE_FIXED64);
    for (unsigned i = 0; i < sizeof value; i++)
        *message->at++ = (uint8_t)(value >> 8 * i);
}

/* Is the character of UTF-8 at text a control character: U+0000 to U+001F, U+007F to U+009F? */
static bool is_control(const char *text)
{
    unsigned char first = (unsigned char)text[0], second;

    if (first < 0x20 || first == 0x7f)
        return true;
    second = first == 0xc2 ? (unsigned char)text[1] : 0xa0;
    return second < 0xa0;
}

/* Copies the text to room, PROTOBUF_TEXT_BYTES bytes. Returns its length. */
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

    if (!has_room(message, 2 * NUMBER_BYTES + length))
        return;
    put_key(message, field, WIRE_BYTES);
    message->at = put(message->at, length);
    memcpy(message->at, room, length);
    message->at += length;
}

/* Most messages are shorter than 128 bytes: one byte is kept for the length, and longer ones are moved. */
uint8_t *protobuf_open(struct protobuf *message, unsigned field)
{
    if (!has_room(message, NUMBER_BYTES + LENGTH_BYTES)) {
        message->end = message->at;
        return NULL;
    }
    put_key(message, field, WIRE_BYTES);
    message->end -= LENGTH_BYTES - 1; /* by which it may be moved */
    return ++message->at;
}

void protobuf_close(struct protobuf *message, uint8_t *begin)
{
    size_t length;

    if (begin == NULL)
        return;
    message->end += LENGTH_BYTES - 1;
    length = (size_t)(message->at - begin);
    if (length >= 0x80) {
        memmove(begin + 1, begin, length);
        message->at++;
    }
    (void)put(begin - 1, length);
}
