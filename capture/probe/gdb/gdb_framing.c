/* SPDX-License-Identifier: MIT */
/* Frames of the remote serial protocol: checksums, escapes, acknowledgements. */
#include "probe/gdb/gdb_framing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hex_digit.h"

#define REPEAT_BIAS 29
#define REPEAT_MIN  ' '
#define REPEAT_MAX  '~'

void rsp_init(struct rsp_parser *parser, char *payload, size_t capacity)
{
    *parser = (struct rsp_parser){.state = RSP_OUTSIDE, .payload = payload, .capacity = capacity, .why = ""};
}

static enum rsp_event broken(struct rsp_parser *parser, const char *why)
{
    parser->state = RSP_DEAD;
    parser->why = why;
    return RSP_BROKEN;
}

static enum rsp_event outside(struct rsp_parser *parser, char c)
{
    switch (c) {
    case '+':
        return RSP_ACK;
    case '-':
        return RSP_NAK;
    case '$':
    case '%':
        parser->notification = c == '%';
        parser->length = 0;
        parser->sum = 0;
        parser->state = RSP_INSIDE;
        return RSP_MORE;
    default:
        return broken(parser, "bytes outside of a packet");
    }
}

static enum rsp_event keep(struct rsp_parser *parser, char c, size_t times)
{
    if (times > parser->capacity - parser->length)
        return broken(parser, "a packet longer than requested");
    memset(parser->payload + parser->length, c, times);
    parser->length += times;
    parser->state = RSP_INSIDE;
    return RSP_MORE;
}

static enum rsp_event inside(struct rsp_parser *parser, char c)
{
    if (c == '#' && parser->state == RSP_INSIDE) {
        parser->state = RSP_SUM_HIGH;
        return RSP_MORE;
    }
    if (c == '$' || c == '#')
        return broken(parser, "a packet that ends before its end");
    parser->sum += (unsigned char)c;
    if (parser->state == RSP_ESCAPED)
        return keep(parser, (char)(c ^ 0x20), 1);
    if (parser->state == RSP_REPEATED) {
        if (c < REPEAT_MIN || c > REPEAT_MAX)
            return broken(parser, "a repetition without a number");
        return keep(parser, parser->payload[parser->length - 1], (size_t)(c - REPEAT_BIAS));
    }
    if (c == '}') {
        parser->state = RSP_ESCAPED;
        return RSP_MORE;
    }
    if (c == '*') {
        if (parser->length == 0)
            return broken(parser, "a repetition of nothing");
        parser->state = RSP_REPEATED;
        return RSP_MORE;
    }
    return keep(parser, c, 1);
}

static enum rsp_event sum_digit(struct rsp_parser *parser, char c)
{
    int digit = hex_digit(c);

    if (digit < 0)
        return broken(parser, "a packet without a check sum");
    if (parser->state == RSP_SUM_HIGH) {
        parser->sum_sent = (unsigned)digit << 4;
        parser->state = RSP_SUM_LOW;
        return RSP_MORE;
    }
    if ((parser->sum_sent | (unsigned)digit) != (parser->sum & 0xff))
        return broken(parser, "a packet with a wrong check sum");
    parser->state = RSP_OUTSIDE;
    return parser->notification ? RSP_NOTIFICATION : RSP_PACKET;
}

enum rsp_event rsp_take(struct rsp_parser *parser, const char *bytes, size_t length, size_t *used)
{
    enum rsp_event event = parser->state == RSP_DEAD ? RSP_BROKEN : RSP_MORE;
    size_t at = 0;

    while (event == RSP_MORE && at < length) {
        char c = bytes[at++];

        if (parser->state == RSP_OUTSIDE)
            event = outside(parser, c);
        else if (parser->state == RSP_SUM_HIGH || parser->state == RSP_SUM_LOW)
            event = sum_digit(parser, c);
        else
            event = inside(parser, c);
    }
    *used = at;
    return event;
}

size_t rsp_frame(char *out, size_t size, const char *payload)
{
    static const char digits[] = "0123456789abcdef";
    size_t length = strlen(payload);
    unsigned sum = 0;

    if (size < length + 4)
        return 0;
    for (size_t i = 0; i < length; i++)
        sum += (unsigned char)payload[i];
    out[0] = '$';
    memcpy(out + 1, payload, length);
    out[length + 1] = '#';
    out[length + 2] = digits[sum >> 4 & 0xf];
    out[length + 3] = digits[sum & 0xf];
    return length + 4;
}

/* ---- packets ---- */

static const char *const packets[GDB_PACKETS] = {
    [GDB_PACKET_ACK] = "+",               /* not a packet: acknowledges the last packet, if the server expects that */
    [GDB_PACKET_FEATURES] = "qSupported", /* asks the server for its packet size */
    [GDB_PACKET_NO_ACK] = "QStartNoAckMode", /* switches off acknowledgements, for this connection only */
    /* Asks for messages about a stop as notifications, for this connection only. A server that halts its target for a
     * command of GDB's usual mode then lets the target run. */
    [GDB_PACKET_NON_STOP] = "QNonStop:1",
    /* A read across the last address. OpenOCD refuses it before it asks the target. So the answer shows whether failed
     * reads return zeros. */
    [GDB_PACKET_NOWHERE] = "mffffffffffffffff,4",
    /* asks for a constant that only QEMU has; other servers send an empty answer */
    [GDB_PACKET_QEMU] = "qqemu.sstepbits",
    [GDB_PACKET_STATE] = "?", /* asks why the target stopped, if it stopped */
    [GDB_PACKET_READ] = "m",  /* reads memory: mADDRESS,LENGTH */
    /* resumes a target that the server stopped when txtap connected; sent only to such servers */
    [GDB_PACKET_DETACH] = "D",
};

size_t gdb_packet_compose(char *out, size_t size, enum gdb_packet packet, uint32_t address, uint32_t length)
{
    char payload[GDB_PACKET_BYTES_MAX];

    if (packet == GDB_PACKET_ACK) {
        if (size == 0)
            return 0;
        out[0] = packets[packet][0];
        return 1;
    }
    if (packet == GDB_PACKET_READ)
        snprintf(payload, sizeof payload, "%s%" PRIx32 ",%" PRIx32, packets[packet], address, length);
    else
        snprintf(payload, sizeof payload, "%s", packets[packet]);
    return rsp_frame(out, size, payload);
}
