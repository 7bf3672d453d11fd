/* SPDX-License-Identifier: MIT */
/*
 * Writes a protobuf message field by field into memory of a fixed size. A field that does not fit is left out as a
 * whole, so what was written always is a valid message. Source: protobuf.dev, "Encoding".
 */
#ifndef TXTAP_DECODER_FORMAT_PROTOBUF_H
#define TXTAP_DECODER_FORMAT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

struct protobuf {
    uint8_t *at, *end; /* at <= end */
};

#define PROTOBUF_TEXT_BYTES 256 /* of a text at most; longer ones are cut between two characters */

void protobuf_number(struct protobuf *message, unsigned field, uint64_t value);
void protobuf_fixed64(struct protobuf *message, unsigned field, uint64_t value);

/* A text of the target, NUL-terminated: bytes that are not UTF-8, and control characters, become U+FFFD. */
void protobuf_text(struct protobuf *message, unsigned field, const char *text);

/* Begins a message inside the message. Returns where it begins, for protobuf_close(); NULL: there is no room, and its
 * fields have none either. */
uint8_t *protobuf_open(struct protobuf *message, unsigned field);
void protobuf_close(struct protobuf *message, uint8_t *begin);

#endif
