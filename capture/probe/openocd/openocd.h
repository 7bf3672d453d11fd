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
 * Connects, checks that the server is OpenOCD's Tcl port, and defines txtap's procedures there. Selects the named
 * target for all reads; NULL: OpenOCD's current target. timeout_ms: for the connection, then for each exchange, plus 1
 * ms for every 4 bytes to read, so that a slow probe does not time out. On success the caller closes *out through its
 * ops. On failure *out is NULL, and error is one line with the server, the cause and the next step. ERROR_UNREACHABLE:
 * nobody listens. _PROTOCOL: not OpenOCD's Tcl port, or a version that is too old. _TIMEOUT: no answer. _CLOSED: the
 * server closed the connection before it answered. _TARGET: there is no target, or it was not examined. _USAGE: no
 * target has the requested name. _SYSTEM: no memory or no descriptor.
 */
enum txtap_status tcl_open(struct tcl_source **out, const char *host, const char *port, const char *target,
                           unsigned timeout_ms, struct error *error);

/* Returns the source. After _TIMEOUT, _PROTOCOL, _CLOSED or _SYSTEM the connection is closed and every read returns
 * _CLOSED: close the source and open a new source. After _FAULT and _TARGET it remains usable. */
struct txtap_source tcl_source_of(struct tcl_source *source);

/* Returns the selected target, as OpenOCD described it at connection time. The source owns it. */
const struct tcl_target *tcl_target(const struct tcl_source *source);

/* Gets the target's current state, in OpenOCD's words: running, halted, reset, unknown, ... Fails like read(). */
enum txtap_status tcl_target_state(struct tcl_source *source, char state[static TCL_TARGET_STATE_BYTES]);

/*
 * Asks what OpenOCD would do if a debugger connected to this GDB port. TXTAP_OK: OpenOCD would leave the target alone;
 * host is OpenOCD's numeric address, where the port is. ERROR_UNSAFE: OpenOCD would halt or change the target, or the
 * port belongs to another server. Otherwise fails like read(). error: one line with the cause and the next step.
 */
enum txtap_status tcl_check_gdb(struct tcl_source *source, const char *port, char host[static STREAM_HOST_BYTES],
                                struct error *error);

/* Reads the adapter's clock in kHz; 0: unknown. Fails like read(). */
enum txtap_status tcl_adapter_khz(struct tcl_source *source, unsigned *khz);

extern const char tcl_procedures[]; /* ends with a NUL */

/* The text of openocd-cfg/common.cfg; ends with a NUL. */
extern const char openocd_configuration[];

/* The text of openocd-cfg/versions.tcl; ends with a NUL. */
extern const char openocd_versions[];

#endif
