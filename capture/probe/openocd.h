/* SPDX-License-Identifier: MIT */
/* OpenOCD's Tcl port as a memory source. Never sends a command that changes the target: see openocd-cfg/txtap.tcl. */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_H

#include <stdint.h>

#include "base/failure.h"
#include "base/tcp.h"
#include "probe/openocd_reply.h"
#include "txtap/source.h"
#include "txtap/status.h"

#define TCL_PORT_DEFAULT   "6666"
#define TCL_READ_BYTES_MAX 65536u /* more in one request keeps OpenOCD from its own polling */
#define TCL_READS_MAX      32u

struct tcl_source;

/*
 * Connects, makes sure that it is OpenOCD's Tcl port, defines the procedures there and picks the target of that name,
 * OpenOCD's current one if target is NULL, which is the one that is read from then on. timeout_ms: for the connection,
 * then for each exchange, with 1 ms more for every 4 bytes asked for (a slow probe is not a dead one). On success *out
 * is the caller's, to be closed through its ops. On failure *out is NULL and error holds one line that names the
 * server, the cause and the next step: ERROR_UNREACHABLE nobody listens; _PROTOCOL not OpenOCD's Tcl port, or one
 * too old; _TIMEOUT no answer; _CLOSED it closed the connection before it answered; _TARGET no target, or not examined;
 * _USAGE no target of that name; _SYSTEM no memory or no descriptor.
 */
enum txtap_status tcl_open(struct tcl_source **out, const char *host, const char *port, const char *target,
                           unsigned timeout_ms, struct error *error);

/*
 * The source. After _TIMEOUT, _PROTOCOL, _CLOSED or _SYSTEM the connection is given up and every read says _CLOSED:
 * close it and open a new one. After _FAULT and _TARGET it can be used further.
 */
struct txtap_source tcl_source_of(struct tcl_source *source);

/* OpenOCD's name of the target, "stm32f4x.cpu". Owned by the source. */
const char *tcl_target_name(const struct tcl_source *source);

/* The names of all its targets; "" if it has one. Owned by the source. */
const char *tcl_targets(const struct tcl_source *source);

/* OpenOCD's word for the target's state now: running, halted, reset, unknown, ... Failures as read(). */
enum txtap_status tcl_target_state(struct tcl_source *source, char state[static TCL_TARGET_STATE_BYTES]);

/*
 * Asks what OpenOCD would do if a debugger connected to this GDB port: TXTAP_OK if that leaves the target as it is, and
 * then host is the numeric address on which the port is OpenOCD's. ERROR_UNSAFE if it would halt or change it, or
 * if the port is not this OpenOCD's. Failures as read() otherwise. error: one line with the cause and what helps.
 */
enum txtap_status tcl_check_gdb(struct tcl_source *source, const char *port, char host[static STREAM_HOST_BYTES],
                                struct error *error);

/* The adapter's clock in kHz; 0 if it has none that can be told. Failures as read(). */
enum txtap_status tcl_adapter_khz(struct tcl_source *source, unsigned *khz);

#endif
