/* SPDX-License-Identifier: MIT */
/*
 * Everything that txtap ever sends to a GDB server. No packet here can halt or step a core, write memory or registers,
 * or set a breakpoint; the table in gdb_packet.c says why each is harmless.
 */
#ifndef TXTAP_CAPTURE_PROBE_GDB_GDB_PACKET_H
#define TXTAP_CAPTURE_PROBE_GDB_GDB_PACKET_H

#include <stddef.h>
#include <stdint.h>

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
