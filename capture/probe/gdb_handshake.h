/* SPDX-License-Identifier: MIT */
/* What is found out of a GDB server on a new connection, before anything it says of memory is believed. */
#ifndef TXTAP_CAPTURE_PROBE_GDB_HANDSHAKE_H
#define TXTAP_CAPTURE_PROBE_GDB_HANDSHAKE_H

#include "probe/gdb.h"
#include "probe/gdb_connection.h"

struct gdb_source {
    struct error error;   /* first: source_base.h */
    struct gdb_link link; /* of GDB_STOPS: closed between reads */
    enum gdb_manner manner;
    unsigned timeout_ms;
    bool given_up;
    uint32_t part_bytes; /* of memory in one packet */
    struct gdb_stops stops;
    char *host, *port;
    char server[96]; /* "GDB server at 127.0.0.1:3333" */
};

/*
 * On success part_bytes is set and, with GDB_STOPS, the target let go again and the connection closed. On failure: as
 * gdb_open(), and source->error is either the line, or empty if the exchange itself failed.
 */
enum txtap_status gdb_handshake(struct gdb_source *source, uint64_t deadline_ms);

#endif
