/* SPDX-License-Identifier: MIT */
/* The table of packets, with the reason why each is harmless. */
#include "probe/gdb/gdb_packet.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probe/gdb/gdb_framing.h"

static const char *const packets[GDB_PACKETS] = {
    [GDB_PACKET_ACK] = "+", /* not a packet: says that the last one arrived, to a server that waits for that */
    [GDB_PACKET_FEATURES] = "qSupported",    /* asks the server for the size of its packets */
    [GDB_PACKET_NO_ACK] = "QStartNoAckMode", /* sets this connection alone to do without + */
    /* A read across the end of all addresses, which OpenOCD refuses before it asks the target: tells whether failed
     * reads answer zeros. */
    [GDB_PACKET_NOWHERE] = "mffffffffffffffff,4",
    [GDB_PACKET_QEMU] = "qqemu.sstepbits", /* asks for a constant that only QEMU has; others answer nothing */
    [GDB_PACKET_STATE] = "?",              /* asks why the target stopped, if it did */
    [GDB_PACKET_READ] = "m",               /* reads memory: mADDRESS,LENGTH */
    [GDB_PACKET_DETACH] = "D", /* lets a target run that the server stopped when txtap connected; sent to no other */
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
