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

/* Makes a printable payload from the bytes. */
static void make_text(char text[static 64], const uint8_t *bytes, size_t length)
{
    length = length < 63 ? length : 63;
    for (size_t i = 0; i < length; i++) {
        text[i] = (char)(' ' + bytes[i] % 95);
        if (strchr("$#}*", text[i]) != NULL)
            text[i] = '.';
    }
    text[length] = '\0';
}

/* Frames a text as a packet, behind a notification with the same text. The parser must return both, with this text, for
 * all sizes of the pieces. */
static void frame_and_take(const char *text, size_t piece)
{
    static const enum rsp_event expected[] = {RSP_NOTIFICATION, RSP_PACKET};
    char framed[160], payload[64];
    struct rsp_parser parser;
    size_t length = strlen(text), size = rsp_frame(framed, sizeof framed, text), found = 0, used;

    REQUIRE(size == length + 4);
    framed[0] = '%';
    size += rsp_frame(framed + size, sizeof framed - size, text);
    REQUIRE(size == 2 * (length + 4));
    rsp_init(&parser, payload, sizeof payload);
    for (size_t at = 0; at < size; at += used) {
        size_t part = size - at < piece ? size - at : piece;
        enum rsp_event event = rsp_take(&parser, framed + at, part, &used);

        if (event == RSP_MORE)
            continue;
        REQUIRE(found < 2 && event == expected[found]);
        REQUIRE(parser.length == length && memcmp(payload, text, length) == 0);
        found++;
    }
    REQUIRE(found == 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct outcome whole, cut;
    char text[64];

    if (length == 0)
        return 0;
    whole = feed((const char *)bytes, length, length);
    cut = feed((const char *)bytes, length, 1 + bytes[0] % 7);
    REQUIRE(memcmp(&whole, &cut, sizeof whole) == 0);
    make_text(text, bytes, length);
    frame_and_take(text, 1 + bytes[0] % 7);
    return 0;
}
