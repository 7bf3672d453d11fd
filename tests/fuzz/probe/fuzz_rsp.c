/* SPDX-License-Identifier: MIT */
/*
 * Parses any bytes from a GDB server, which arrive in pieces. The parser must stay within its memory. It must find the
 * same packets for all sizes of the pieces.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "probe/gdb/gdb_framing.h"

#define CAPACITY 300

struct outcome {
    size_t events[6];
    size_t bytes;  /* total length of all payloads */
    unsigned hash; /* hash of all events and payloads */
};

static void note(struct outcome *outcome, enum rsp_event event, const struct rsp_parser *parser)
{
    outcome->events[event]++;
    outcome->hash = outcome->hash * 31 + (unsigned)event;
    if (event != RSP_PACKET && event != RSP_NOTIFICATION)
        return;
    REQUIRE(parser->length <= parser->capacity);
    outcome->bytes += parser->length;
    for (size_t i = 0; i < parser->length; i++)
        outcome->hash = outcome->hash * 31 + (unsigned char)parser->payload[i];
}

/* Feeds all bytes in pieces of `piece` bytes; piece must be at least 1. */
static struct outcome feed(const char *bytes, size_t length, size_t piece)
{
    struct outcome outcome = {0};
    struct rsp_parser parser;
    char *payload = malloc(CAPACITY); /* exact size: the sanitizer detects a write past the end */
    enum rsp_event event = RSP_MORE;

    rsp_init(&parser, payload, CAPACITY);
    for (size_t at = 0; at < length && event != RSP_BROKEN;) {
        size_t part = length - at < piece ? length - at : piece, used = 0;

        event = rsp_take(&parser, bytes + at, part, &used);
        REQUIRE(used > 0 && used <= part);
        REQUIRE(event != RSP_MORE || used == part);
        if (event != RSP_MORE)
            note(&outcome, event, &parser);
        at += used;
    }
    if (event == RSP_BROKEN) {
        size_t used = 1;

        REQUIRE(parser.why[0] != '\0');
        REQUIRE(rsp_take(&parser, bytes, length, &used) == RSP_BROKEN && used == 0);
    }
    free(payload);
    return outcome;
}

/* Makes a printable payload from the bytes, and frames it as a packet. The parser must return the same payload. */
static void frame_and_take(const uint8_t *bytes, size_t length)
{
    char text[64], framed[80], payload[64];
    struct rsp_parser parser;
    size_t used, size;

    length = length < sizeof text - 1 ? length : sizeof text - 1;
    for (size_t i = 0; i < length; i++) {
        text[i] = (char)(' ' + bytes[i] % 95);
        if (strchr("$#}*", text[i]) != NULL)
            text[i] = '.';
    }
    text[length] = '\0';
    size = rsp_frame(framed, sizeof framed, text);
    REQUIRE(size == length + 4);
    rsp_init(&parser, payload, sizeof payload);
    REQUIRE(rsp_take(&parser, framed, size, &used) == RSP_PACKET && used == size);
    REQUIRE(parser.length == length && memcmp(payload, text, length) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct outcome whole, cut;

    if (length == 0)
        return 0;
    whole = feed((const char *)bytes, length, length);
    cut = feed((const char *)bytes, length, 1 + bytes[0] % 7);
    REQUIRE(memcmp(&whole, &cut, sizeof whole) == 0);
    frame_and_take(bytes, length);
    return 0;
}
