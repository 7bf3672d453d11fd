/* SPDX-License-Identifier: MIT */
/*
 * The frames of GDB's remote serial protocol: bytes in, packets out. Knows no socket and no packet's meaning. Does not
 * trust the server: what it keeps is bounded by the memory it is given.
 *
 *   $PAYLOAD#CC   a packet; CC: sum of the payload's bytes as sent, modulo 256, two hexadecimal digits
 *   %PAYLOAD#CC   a notification: comes at any time, is never acknowledged
 *   + -           acknowledge the last packet sent, or request it again
 * In a payload, } and a byte stand for that byte xor 0x20, and * and a byte N (32 to 126) for the byte before them
 * N - 29 times more.
 */
#ifndef TXTAP_CAPTURE_PROBE_GDB_GDB_FRAMING_H
#define TXTAP_CAPTURE_PROBE_GDB_GDB_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rsp_event {
    RSP_MORE,         /* all bytes are taken, and no frame is complete */
    RSP_PACKET,       /* with its payload */
    RSP_NOTIFICATION, /* with its payload */
    RSP_ACK,
    RSP_NAK,
    RSP_BROKEN, /* not a frame; the parser stays broken */
};

enum rsp_state { RSP_OUTSIDE, RSP_INSIDE, RSP_ESCAPED, RSP_REPEATED, RSP_SUM_HIGH, RSP_SUM_LOW, RSP_DEAD };

struct rsp_parser {
    enum rsp_state state;
    bool notification;
    char *payload; /* the caller's, of capacity bytes */
    size_t capacity, length;
    unsigned sum, sum_sent;
    const char *why; /* it is broken; static */
};

/* payload receives each packet with escapes and repetitions expanded. */
void rsp_init(struct rsp_parser *parser, char *payload, size_t capacity);

/*
 * Takes bytes up to the end of the next event: *used of them. After RSP_PACKET and RSP_NOTIFICATION the payload is
 * parser->payload[0..parser->length), until the next call.
 */
enum rsp_event rsp_take(struct rsp_parser *parser, const char *bytes, size_t length, size_t *used);

/*
 * Frames a payload of printable ASCII without $ # } *: at most size bytes, without a NUL. Returns the number of bytes;
 * 0 if they do not fit.
 */
size_t rsp_frame(char *out, size_t size, const char *payload);

enum gdb_packet {
    GDB_PACKET_ACK,
    GDB_PACKET_FEATURES,
    GDB_PACKET_NO_ACK,
    GDB_PACKET_NOWHERE,
    GDB_PACKET_QEMU,
    GDB_PACKET_STATE,
    GDB_PACKET_READ,
    GDB_PACKET_DETACH,
    GDB_PACKETS
};

#define GDB_PACKET_BYTES_MAX 32u /* of each packet, framed */

/*
 * Writes a packet, framed, to out[0..size). address and length (1 to 65536 bytes): for GDB_PACKET_READ only. Returns
 * the number of bytes; 0 if they do not fit.
 */
size_t gdb_packet_compose(char *out, size_t size, enum gdb_packet packet, uint32_t address, uint32_t length);

#endif
