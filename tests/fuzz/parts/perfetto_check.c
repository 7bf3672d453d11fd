/* SPDX-License-Identifier: MIT */
#include "perfetto_check.h"

#include <stdbool.h>
#include <string.h>

#include "fuzz.h"

#define TRACKS 2048 /* more tracks than the limits of the fuzzers allow */
#define STATES 4096 /* maximum number of states that are remembered */

enum { NUMBER = 0, FIXED64 = 1, BYTES = 2 };
enum {
    PACKET_TIME = 8,
    PACKET_EVENT = 11,
    PACKET_CLOCK = 58,
    PACKET_TASK = 117,
    EVENT_TYPE = 9,
    EVENT_TRACK = 11,
    TASK_TID = 3
};
enum { SLICE_BEGIN = 1, SLICE_END = 2 };

struct field {
    unsigned number, wire;
    uint64_t value;       /* for BYTES: their length */
    const uint8_t *bytes; /* only for BYTES */
};

static struct {
    uint64_t ns; /* time of the last packet; the next packet's time is relative to it, unless it names a clock */
    unsigned depth[TRACKS];
    size_t states;
    struct {
        uint64_t thread, ns;
    } state[STATES];
} seen;

static uint64_t number_of(const uint8_t **at, const uint8_t *end)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 70; shift += 7) {
        uint8_t byte;

        REQUIRE(*at < end);
        byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    abort();
}

static bool next(const uint8_t **at, const uint8_t *end, struct field *field)
{
    uint64_t key;

    if (*at == end)
        return false;
    key = number_of(at, end);
    field->number = (unsigned)(key >> 3);
    field->wire = key & 7;
    REQUIRE(field->number > 0 && field->number < 128);
    if (field->wire == FIXED64) {
        REQUIRE(end - *at >= 8);
        *at += 8;
        return true;
    }
    REQUIRE(field->wire == NUMBER || field->wire == BYTES);
    field->value = number_of(at, end);
    if (field->wire == BYTES) {
        REQUIRE(field->value <= (uint64_t)(end - *at));
        field->bytes = *at;
        *at += field->value;
    }
    return true;
}

/* Returns the value of a message's field; 0: the message does not have this field. */
static uint64_t value_in(const struct field *message, unsigned number)
{
    const uint8_t *at = message->bytes, *end = at + message->value;
    struct field field;
    uint64_t value = 0;

    while (next(&at, end, &field))
        if (field.number == number && field.wire == NUMBER)
            value = field.value;
    return value;
}

static void take_slice(const struct field *event)
{
    uint64_t type = value_in(event, EVENT_TYPE), track = value_in(event, EVENT_TRACK);

    REQUIRE(track < TRACKS);
    if (type == SLICE_BEGIN)
        seen.depth[track]++;
    if (type == SLICE_END)
        REQUIRE(seen.depth[track]-- > 0);
}

static void take_task(const struct field *task, uint64_t ns)
{
    uint64_t thread = value_in(task, TASK_TID);

    for (size_t i = 0; i < seen.states; i++)
        REQUIRE(seen.state[i].thread != thread || seen.state[i].ns != ns);
    if (seen.states == STATES)
        return;
    seen.state[seen.states].thread = thread;
    seen.state[seen.states++].ns = ns;
}

static void take_packet(const struct field *packet)
{
    const uint8_t *at = packet->bytes, *end = at + packet->value;
    struct field field;
    uint64_t ns = value_in(packet, PACKET_TIME);

    if (value_in(packet, PACKET_CLOCK) == 0)
        seen.ns = ns += seen.ns;
    REQUIRE(ns < UINT64_C(1) << 63);
    while (next(&at, end, &field)) {
        if (field.number == PACKET_EVENT)
            take_slice(&field);
        if (field.number == PACKET_TASK)
            take_task(&field, ns);
    }
}

void perfetto_check_start(void)
{
    memset(seen.depth, 0, sizeof seen.depth);
    seen.states = 0;
    seen.ns = 0;
}

void perfetto_check(const uint8_t *bytes, size_t length)
{
    const uint8_t *at = bytes;
    struct field packet;

    while (next(&at, bytes + length, &packet)) {
        REQUIRE(packet.number == 1 && packet.wire == BYTES);
        take_packet(&packet);
    }
}

void perfetto_check_end(void)
{
    for (size_t i = 0; i < TRACKS; i++)
        REQUIRE(seen.depth[i] == 0);
}
