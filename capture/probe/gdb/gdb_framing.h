/* SPDX-License-Identifier: MIT */
/*
 * The frames of GDB's remote serial protocol: bytes in, packets out. It knows neither sockets nor the meaning of
 * packets. The server is not trusted: the payload never exceeds the caller's memory.
 *
 *   $PAYLOAD#CC   a packet; CC: sum of the payload's bytes as sent, modulo 256, two hexadecimal digits
 *   %PAYLOAD#CC   a notification: may arrive at any time, and is never acknowledged
 *   + -           acknowledge the last packet sent, or request it again
 * In a payload, } and the next byte mean that byte xor 0x20. The character * and a byte N (32 to 126) repeat the byte
 * before them N - 29 times.
 */
#ifndef TXTAP_CAPTURE_PROBE_GDB_GDB_FRAMING_H
#define TXTAP_CAPTURE_PROBE_GDB_GDB_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rsp_event {
    RSP_MORE,         /* all bytes were taken, and no frame is complete */
    RSP_PACKET,       /* a packet; its payload is in the parser */
    RSP_NOTIFICATION, /* a notification; its payload is in the parser */
    RSP_ACK,
    RSP_NAK,
    RSP_BROKEN, /* not a frame; the parser stays broken */
};

enum rsp_state { RSP_OUTSIDE, RSP_INSIDE, RSP_ESCAPED, RSP_REPEATED, RSP_SUM_HIGH, RSP_SUM_LOW, RSP_DEAD };

struct rsp_parser {
    enum rsp_state state;
    bool notification;
    char *payload; /* the `capacity` bytes of the caller's memory */
    size_t capacity, length;
    unsigned sum, sum_sent;
    const char *why; /* why the parser is broken; static */
};

/* Prepares the parser. `payload` gets the content of each packet, with escapes and repetitions expanded. */
void rsp_init(struct rsp_parser *parser, char *payload, size_t capacity);

/* Takes bytes up to the end of the next event. *used: number of bytes taken. After RSP_PACKET and RSP_NOTIFICATION the
 * payload is parser->payload[0..parser->length), valid until the next call. */
enum rsp_event rsp_take(struct rsp_parser *parser, const char *bytes, size_t length, size_t *used);

/* Frames a payload of printable ASCII without $ # } *, without a NUL. Returns the number of bytes written to `out`; 0:
 * `size` is too small. */
size_t rsp_frame(char *out, size_t size, const char *payload);

enum gdb_packet {
    GDB_PACKET_ACK,
    GDB_PACKET_FEATURES,
    GDB_PACKET_NO_ACK,
    GDB_PACKET_NON_STOP,
    GDB_PACKET_NOWHERE,
    GDB_PACKET_QEMU,
    GDB_PACKET_STATE,
    GDB_PACKET_READ,
    GDB_PACKET_DETACH,
    GDB_PACKETS
};

#define GDB_PACKET_BYTES_MAX 32u /* largest packet, framed */

/* Writes a framed packet to out[0..size). address and length (1 to 65536 bytes) are for GDB_PACKET_READ only. Returns
 * the number of bytes; 0: the packet does not fit. */
size_t gdb_packet_compose(char *out, size_t size, enum gdb_packet packet, uint32_t address, uint32_t length);

#endif
