/* SPDX-License-Identifier: MIT */
/* One connection to a GDB server: packets of gdb_packet.h out, answers in. Says nothing of what goes wrong but a
 * status. */
#ifndef TXTAP_CAPTURE_PROBE_GDB_CONNECTION_H
#define TXTAP_CAPTURE_PROBE_GDB_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tcp.h"
#include "probe/gdb_framing.h"
#include "probe/gdb_packet.h"

#define GDB_PART_BYTES_MAX     8188u /* of memory in one answer; what OpenOCD's packets hold */
#define GDB_LINK_PAYLOAD_BYTES (2 * GDB_PART_BYTES_MAX + 16)
#define GDB_LINK_PACKETS_MAX   300u /* sent in one go */
#define GDB_LINK_RECEIVE_BYTES 16384u

struct gdb_link {
    struct stream stream;
    bool acks;                /* each packet received is to be acknowledged */
    bool stopped;             /* the server said on this connection that its target stopped */
    bool asks_state;          /* GDB_PACKET_STATE was sent: a stop reply is its answer */
    bool detached;            /* GDB_PACKET_DETACH was sent: no byte may follow */
    struct rsp_parser parser; /* its payload: the last answer */
    char payload[GDB_LINK_PAYLOAD_BYTES];
    char received[GDB_LINK_RECEIVE_BYTES];
    size_t received_at, received_length;
    char request[GDB_LINK_PACKETS_MAX * GDB_PACKET_BYTES_MAX];
    size_t request_length;
};

/* For a connection that is there. acks: as above. */
void gdb_link_init(struct gdb_link *link, struct stream stream, bool acks);

/* Adds a packet to what gdb_link_flush() sends. At most GDB_LINK_PACKETS_MAX, none after GDB_PACKET_DETACH. */
void gdb_link_put(struct gdb_link *link, enum gdb_packet packet, uint32_t address, uint32_t length);
enum txtap_status gdb_link_flush(struct gdb_link *link, uint64_t deadline_ms);

/*
 * Waits for the next answer: link->parser.payload[0..link->parser.length). Passes over notifications, console output (a
 * keep-alive is one), stray acknowledgements, and stop replies, which set link->stopped. ERROR_TIMEOUT, _CLOSED,
 * _SYSTEM (errno), or _PROTOCOL: link->parser.why, or the server asks for a packet again.
 */
enum txtap_status gdb_link_take(struct gdb_link *link, uint64_t deadline_ms);

/* Sends one packet and takes its answer. */
enum txtap_status gdb_link_ask(struct gdb_link *link, enum gdb_packet packet, uint64_t deadline_ms);

/* Sends GDB_PACKET_STATE; link->stopped says whether the target stands still. */
enum txtap_status gdb_link_ask_state(struct gdb_link *link, uint64_t deadline_ms);

/* Whether the last answer is this text. */
bool gdb_link_answered(const struct gdb_link *link, const char *text);

/*
 * Closes without the minute in which the system keeps a port reserved, of which a connection for each poll would use up
 * thousands. Only after the last answer: bytes under way are dropped.
 */
void gdb_link_end(struct gdb_link *link);

#endif
