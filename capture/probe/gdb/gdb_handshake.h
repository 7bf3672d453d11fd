/* SPDX-License-Identifier: MIT */
/* Checks a GDB server on a new connection, before its answers about memory are trusted. */
#ifndef TXTAP_CAPTURE_PROBE_GDB_GDB_HANDSHAKE_H
#define TXTAP_CAPTURE_PROBE_GDB_GDB_HANDSHAKE_H

#include "probe/gdb/gdb.h"
#include "probe/gdb/gdb_connection.h"

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
 * On success part_bytes is set; with GDB_STOPS the target runs again and the connection is closed. Fails as gdb_open(),
 * with source->error set unless the exchange itself failed.
 */
enum txtap_status gdb_handshake(struct gdb_source *source, uint64_t deadline_ms);

#endif
