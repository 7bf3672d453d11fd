/* SPDX-License-Identifier: MIT */
/* OpenOCD's Tcl port as a memory source. Sends no command that changes the target: see openocd-cfg/txtap.tcl. */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_H

#include "base/failure.h"
#include "base/tcp.h"
#include "probe/openocd/openocd_reply.h"
#include "txtap/source.h"
#include "txtap/status.h"

#define TCL_PORT_DEFAULT   "6666"
#define TCL_READ_BYTES_MAX 65536u /* a longer request would keep OpenOCD from polling its target */
#define TCL_READS_MAX      32u

struct tcl_source;

/*
 * Connects, checks that this is OpenOCD's Tcl port, defines txtap's procedures there and selects the target of that
 * name for all reads; NULL: OpenOCD's current target. timeout_ms: for the connection, then for each exchange, plus 1 ms
 * for every 4 bytes to read (a slow probe is not a dead one). On success the caller closes *out through its ops. On
 * failure *out is NULL and error holds one line that names the server, the cause and the next step: ERROR_UNREACHABLE
 * nobody listens; _PROTOCOL not OpenOCD's Tcl port, or one too old; _TIMEOUT no answer; _CLOSED it closed the
 * connection before it answered; _TARGET no target, or not examined; _USAGE no target of that name; _SYSTEM no memory
 * or no descriptor.
 */
enum txtap_status tcl_open(struct tcl_source **out, const char *host, const char *port, const char *target,
                           unsigned timeout_ms, struct error *error);

/*
 * The source. After _TIMEOUT, _PROTOCOL, _CLOSED or _SYSTEM the connection is closed and every read returns _CLOSED:
 * close the source and open a new one. After _FAULT and _TARGET it remains usable.
 */
struct txtap_source tcl_source_of(struct tcl_source *source);

/* The target that is read, as OpenOCD described it when the connection was made. Owned by the source. */
const struct tcl_target *tcl_target(const struct tcl_source *source);

/* The target's state now, in OpenOCD's words: running, halted, reset, unknown, ... Fails as read(). */
enum txtap_status tcl_target_state(struct tcl_source *source, char state[static TCL_TARGET_STATE_BYTES]);

/*
 * Asks what OpenOCD would do if a debugger connected to this GDB port. TXTAP_OK: it would leave the target alone, and
 * host is the numeric address of OpenOCD, where that port is. ERROR_UNSAFE: it would halt or change the target, or the
 * port is not this OpenOCD's. Otherwise fails as read(). error: one line with the cause and the next step.
 */
enum txtap_status tcl_check_gdb(struct tcl_source *source, const char *port, char host[static STREAM_HOST_BYTES],
                                struct error *error);

/* The adapter's clock in kHz; 0: unknown. Fails as read(). */
enum txtap_status tcl_adapter_khz(struct tcl_source *source, unsigned *khz);

extern const char tcl_procedures[]; /* ends in a NUL */

/* The text of openocd-cfg/common.cfg, likewise. */
extern const char openocd_configuration[];

/* The text of openocd-cfg/versions.tcl, likewise. */
extern const char openocd_versions[];

#endif
