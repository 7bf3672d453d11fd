/* SPDX-License-Identifier: MIT */
/*
 * Writes a protobuf message field by field into memory of a fixed size. A field that does not fit is left out
 * completely, so that the message is always valid. Source: protobuf.dev, "Encoding".
 */
#ifndef TXTAP_DECODER_FORMAT_PROTOBUF_H
#define TXTAP_DECODER_FORMAT_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct protobuf {
    uint8_t *at, *end; /* at <= end */
};

enum protobuf_wire { PROTOBUF_NUMBER = 0, PROTOBUF_FIXED64 = 1, PROTOBUF_BYTES = 2 };

#define PROTOBUF_NUMBER_BYTES 10  /* bytes of the longest variable-length number */
#define PROTOBUF_TEXT_BYTES   256 /* maximum size of a text, in bytes; a longer text is cut between two characters */

static inline bool protobuf_has_room(const struct protobuf *message, size_t bytes)
{
    return (size_t)(message->end - message->at) >= bytes;
}

static inline uint8_t *protobuf_put(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

static inline void protobuf_put_key(struct protobuf *message, unsigned field, enum protobuf_wire type)
{
    message->at = protobuf_put(message->at, field << 3 | type);
}

static inline void protobuf_number(struct protobuf *message, unsigned field, uint64_t value)
{
    if (!protobuf_has_room(message, 2 * PROTOBUF_NUMBER_BYTES))
        return;
    protobuf_put_key(message, field, PROTOBUF_NUMBER);
    message->at = protobuf_put(message->at, value);
}

void protobuf_fixed64(struct protobuf *message, unsigned field, uint64_t value);

/* Writes a NUL-terminated text from the target. Bytes that are not UTF-8, and control characters, become U+FFFD. */
void protobuf_text(struct protobuf *message, unsigned field, const char *text);

#define PROTOBUF_LENGTH_BYTES 2 /* bytes of the length field of a message below 16,384 bytes */

/*
 * Begins a message inside the message. Returns its address for protobuf_close(). NULL: there is no room for the inner
 * message or its fields. Reserves one byte for the length, because most messages are shorter than 128 bytes.
 * protobuf_close() moves longer messages.
 */
static inline uint8_t *protobuf_open(struct protobuf *message, unsigned field)
{
    if (!protobuf_has_room(message, PROTOBUF_NUMBER_BYTES + PROTOBUF_LENGTH_BYTES)) {
        message->end = message->at;
        return NULL;
    }
    protobuf_put_key(message, field, PROTOBUF_BYTES);
    message->end -= PROTOBUF_LENGTH_BYTES - 1; /* keep room in case protobuf_close() moves the message */
    return ++message->at;
}

void protobuf_close_long(struct protobuf *message, uint8_t *begin);

static inline void protobuf_close(struct protobuf *message, uint8_t *begin)
{
    size_t length = begin != NULL ? (size_t)(message->at - begin) : 0x80;

    if (length >= 0x80) {
        protobuf_close_long(message, begin);
        return;
    }
    message->end += PROTOBUF_LENGTH_BYTES - 1;
    begin[-1] = (uint8_t)length;
}

#endif
