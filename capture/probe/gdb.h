/* SPDX-License-Identifier: MIT */
/*
 * A GDB server as a memory source. Sends what gdb_packet.h has and nothing else. That a server halts its target when
 * somebody connects cannot be helped from here: the caller must know before (probe/probe_gdb.c).
 */
#ifndef TXTAP_CAPTURE_PROBE_GDB_H
#define TXTAP_CAPTURE_PROBE_GDB_H

#include <stdint.h>

#include "base/failure.h"
#include "txtap/source.h"
#include "txtap/status.h"

#define GDB_READ_BYTES_MAX 16384u
#define GDB_READS_MAX      32u

enum gdb_manner {
    GDB_RUNS,    /* the target runs while a client is connected: one connection for all */
    GDB_TRUSTED, /* the same, but only by somebody's word: asked as soon as it is connected to */
    GDB_STOPS, /* the server stops it when a client connects and lets it run on detach: one connection for each read */
};

struct gdb_source;

/* Of GDB_STOPS: from before connecting until the server confirmed the detach; the target stood still for less. */
struct gdb_stops {
    uint64_t count, us, us_max;
};

/*
 * Connects, and makes sure that reading can be believed and, with GDB_RUNS, that the server did not stop the target.
 * timeout_ms: for the connection, then for each exchange, with 1 ms more for every 4 bytes asked for. On success *out
 * is the caller's, to be closed through its ops. On failure *out is NULL and error holds one line that names the
 * server, the cause and the next step: ERROR_UNREACHABLE nobody listens; _PROTOCOL no GDB server, or one whose
 * failed reads look like zeros; _TIMEOUT no answer; _CLOSED it closed the connection; _UNSAFE it stops its target;
 * _SYSTEM no memory or no descriptor.
 */
enum txtap_status gdb_open(struct gdb_source **out, const char *host, const char *port, enum gdb_manner manner,
                           unsigned timeout_ms, struct error *error);

/*
 * The source. After _TIMEOUT, _PROTOCOL, _CLOSED or _SYSTEM the connection is given up and every read says _CLOSED:
 * close it and open a new one. After _FAULT it can be used further.
 */
struct txtap_source gdb_source_of(struct gdb_source *source);

struct gdb_stops gdb_stops(const struct gdb_source *source);

#endif
