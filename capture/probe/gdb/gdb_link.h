/* SPDX-License-Identifier: MIT */
/* One connection to a GDB server: packets out, answers in. Only gdb_link_flush() sends bytes. */
#ifndef TXTAP_CAPTURE_PROBE_GDB_GDB_LINK_H
#define TXTAP_CAPTURE_PROBE_GDB_GDB_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tcp.h"
#include "probe/gdb/gdb_framing.h"
#include "txtap/status.h"

#define GDB_PART_BYTES_MAX     8188u /* memory in one answer; OpenOCD's limit */
#define GDB_LINK_PAYLOAD_BYTES (2 * GDB_PART_BYTES_MAX + 16)
#define GDB_LINK_PACKETS_MAX   300u /* packets sent at once */
#define GDB_LINK_RECEIVE_BYTES 16384u

struct gdb_link {
    struct stream stream;
    bool acks;                /* the server expects an acknowledgement of each packet */
    bool stopped;             /* on this connection the server reported that its target stopped */
    bool asks_state;          /* GDB_PACKET_STATE was sent: a stop reply is its answer */
    bool detached;            /* GDB_PACKET_DETACH was sent: no byte may follow */
    struct rsp_parser parser; /* the parser's payload is the last answer */
    char payload[GDB_LINK_PAYLOAD_BYTES];
    char received[GDB_LINK_RECEIVE_BYTES];
    size_t received_at, received_length;
    char request[GDB_LINK_PACKETS_MAX * GDB_PACKET_BYTES_MAX];
    size_t request_length;
};

/* Begins a connection. `stream` must be connected. acks: the server expects an acknowledgement of each packet. */
void gdb_link_init(struct gdb_link *link, struct stream stream, bool acks);

/* Queues a packet for gdb_link_flush(): at most GDB_LINK_PACKETS_MAX packets, and no packet after GDB_PACKET_DETACH. */
void gdb_link_put(struct gdb_link *link, enum gdb_packet packet, uint32_t address, uint32_t length);

/* Sends the queued packets. Fails like stream_send(). */
enum txtap_status gdb_link_flush(struct gdb_link *link, uint64_t deadline_ms);

/*
 * Waits for the next answer: link->parser.payload[0..link->parser.length). Skips notifications, console output
 * including keep-alives, stray acknowledgements, and stop replies (which set link->stopped). Returns ERROR_TIMEOUT,
 * _CLOSED, _SYSTEM (errno), or _PROTOCOL: see link->parser.why, or the server requests a packet again.
 */
enum txtap_status gdb_link_take(struct gdb_link *link, uint64_t deadline_ms);

/* Sends one packet and takes its answer. */
enum txtap_status gdb_link_ask(struct gdb_link *link, enum gdb_packet packet, uint64_t deadline_ms);

/* Sends GDB_PACKET_STATE and takes its answer; link->stopped: the target is halted. */
enum txtap_status gdb_link_ask_state(struct gdb_link *link, uint64_t deadline_ms);

/* Reports whether the last answer is this text. */
bool gdb_link_answered(const struct gdb_link *link, const char *text);

/*
 * Closes the connection with a TCP reset. Otherwise the system would reserve the port for a minute, and a connection
 * for each poll would use up thousands of ports. A reset drops bytes in transit, so call it only after the last answer.
 */
void gdb_link_end(struct gdb_link *link);

#endif
