/* SPDX-License-Identifier: MIT */
/* A GDB server as a memory source. Sends only the packets of gdb_framing.h. Some servers halt their target when a
 * client connects: the caller must rule this out first (probe_gdb.c). */
#ifndef TXTAP_CAPTURE_PROBE_GDB_GDB_H
#define TXTAP_CAPTURE_PROBE_GDB_GDB_H

#include <stdint.h>

#include "base/failure.h"
#include "txtap/source.h"
#include "txtap/status.h"

#define GDB_READ_BYTES_MAX 16384u
#define GDB_READS_MAX      32u

enum gdb_manner {
    GDB_RUNS,     /* the target runs while a client is connected: one connection for all reads */
    GDB_TRUSTED,  /* like GDB_RUNS, but it is not sure: after connecting, txtap checks that the core is not halted */
    GDB_SHARED,   /* like GDB_TRUSTED, but another client is connected and may have halted the core: no detach */
    GDB_NON_STOP, /* the target runs in GDB's non-stop mode: one connection for all reads */
    GDB_STOPS,    /* the server stops its target on connect and resumes it on detach: one connection for each read */
};

/* How txtap found out, after connecting, that the core runs. */
enum gdb_proof {
    GDB_NO_PROOF,
    GDB_PROOF_CORE,   /* the core's register DHCSR */
    GDB_PROOF_SERVER, /* only the server's word */
};

struct gdb_source;

/* For GDB_STOPS: each time runs from the start of connecting until the server has answered the detach. The target was
 * stopped for less time. */
struct gdb_stops {
    uint64_t count, us, us_max;
};

/*
 * Connects. Checks that the server reports failed reads and, except with GDB_STOPS, that it did not stop the target.
 * timeout_ms: for the connection, then for each exchange, plus 1 ms for every 4 bytes to read. On success the caller
 * closes *out through its ops. On failure *out is NULL, and error is one line with the server, the cause and the next
 * step. ERROR_UNREACHABLE: nobody listens. _PROTOCOL: not a GDB server, or a server that answers failed reads with
 * zeros. _TIMEOUT: no answer. _CLOSED: the server closed the connection. _UNSAFE: the server stops its target. _SYSTEM:
 * no memory or no descriptor.
 */
enum txtap_status gdb_open(struct gdb_source **out, const char *host, const char *port, enum gdb_manner manner,
                           unsigned timeout_ms, struct error *error);

/* Returns the source. After _TIMEOUT, _PROTOCOL, _CLOSED or _SYSTEM the connection is closed and every read returns
 * _CLOSED: close the source and open a new source. After _FAULT it remains usable. */
struct txtap_source gdb_source_of(struct gdb_source *source);

struct gdb_stops gdb_stops(const struct gdb_source *source);

/* Returns the proof of the last connection. GDB_NO_PROOF with GDB_RUNS and GDB_STOPS. */
enum gdb_proof gdb_proof(const struct gdb_source *source);

#endif
