/* SPDX-License-Identifier: MIT */
/*
 * Servers of other projects. Some of them halt their target as soon as a client connects. So txtap finds out which
 * program listens at a port, before it connects to the port.
 */
#ifndef TXTAP_CAPTURE_PROBE_SERVERS_H
#define TXTAP_CAPTURE_PROBE_SERVERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"
#include "probe/port_owner.h"

/* What a client may do with a server. */
enum server_verdict {
    SERVER_HALTS, /* it halts its target for each client, or cannot read memory while the target runs: never used */
    SERVER_OTHER, /* its port is not a GDB port: never used */
    SERVER_NEEDS_FLAG, /* it halts its target unless it was started with a flag */
    SERVER_UNKNOWN,    /* it is not known whether it halts its target: used only with --trust-gdb, which then checks */
    SERVER_NON_STOP,   /* it lets its target run in GDB's non-stop mode */
    SERVER_ASKED,      /* txtap asks the server itself, over Tcl or with a packet that only QEMU has */
};

struct server {
    const char *name;    /* for messages */
    const char *program; /* the start of its program's name, in capital or small letters */
    const char *word;    /* a word that its command line must have; NULL: any command line */
    const char *port;    /* its usual port; NULL: not known */
    enum server_verdict verdict;
    const char *flag;   /* with SERVER_NEEDS_FLAG */
    const char *advice; /* the next step for the user */
};

/* Recognises a server by its process. Returns NULL for any other program. Pure. */
const struct server *server_of_process(const char *name, const char *command, size_t command_bytes);

/* Recognises a server that halts its target by its usual port, which is only a hint. Returns NULL for any other
 * port. */
const struct server *server_of_port(const char *port);

struct server_check {
    struct port_owner owner;
    const struct server *server; /* NULL: not a server of this table, or not known */
    const struct server *hint;   /* if `server` is NULL: a server that usually has this port and halts; or NULL */
    bool needs_no_trust;         /* `server` may be used without --trust-gdb */
};

/*
 * Finds out whose port it is, without connecting. trusted: the user asserts that the server does not halt its target.
 * TXTAP_OK: nothing is known against a GDB connection; check->server tells how to connect. ERROR_UNSAFE: it must not be
 * used, and error names the server and the next step.
 */
enum txtap_status server_check_gdb(struct server_check *check, const char *host, const char *port, bool trusted,
                                   struct error *error);

/* The same for a port that should be OpenOCD's Tcl port: another server of the table is refused. */
enum txtap_status server_check_tcl(const char *host, const char *port, struct error *error);

#endif
