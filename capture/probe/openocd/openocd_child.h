/* SPDX-License-Identifier: MIT */
/*
 * An OpenOCD that txtap starts, on free ports of 127.0.0.1, and ends. It does not poll its target by itself. Knows
 * processes and logs; what is read through it is openocd.h's.
 */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_CHILD_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_CHILD_H

#include <stddef.h>

#include "base/child.h"
#include "base/failure.h"
#include "probe/openocd/openocd_arguments.h"
#include "txtap/status.h"

/* ---- the log ---- */

/*
 * What OpenOCD prints while it starts: its version, its Tcl port, and the one line that says why it cannot go on. Bytes
 * in, numbers and sentences out.
 */

#define OPENOCD_LINE_BYTES    200
#define OPENOCD_VERSION_BYTES 32

/* {0}: nothing read yet. */
struct openocd_log {
    char line[OPENOCD_LINE_BYTES]; /* the last one, as far as it has come */
    size_t length;
    char version[OPENOCD_VERSION_BYTES]; /* "0.12.0", "0.12.0+dev-01234-gabcdef"; "": not said */
    unsigned port;                       /* of its Tcl server; 0: not said */
    unsigned rank;                       /* of cause; 0: none, then the higher the more it says */
    unsigned known;                      /* cause is of this row of the table of known lines */
    char cause[OPENOCD_LINE_BYTES];
};

/* Takes more of what OpenOCD prints. */
void openocd_log_take(struct openocd_log *log, const char *bytes, size_t length);

/* Takes what stands behind the last line feed as a line: OpenOCD prints no more. */
void openocd_log_end(struct openocd_log *log);

/*
 * Why OpenOCD could not start: a line with the cause, OpenOCD's words, and the next step. The status is one that may
 * change by itself (ERROR_UNREACHABLE no probe, ERROR_TARGET no target), or ERROR_PROTOCOL if
 * OpenOCD's configuration has to change first. program: what was started.
 */
enum txtap_status openocd_log_failure(const struct openocd_log *log, const char *program, struct error *error);

struct openocd_child {
    struct child process;
    struct openocd_log log;
    char port[8]; /* of its Tcl server */
};

/*
 * Starts it and waits until its Tcl port is open, at most timeout_ms. On failure nothing is left behind, and error is
 * one line: TXTAP_ERROR_SYSTEM it cannot be run; as openocd_log_failure() it ended; ERROR_TIMEOUT it did neither;
 * ERROR_INTERRUPTED the user ended txtap meanwhile.
 */
enum txtap_status openocd_child_start(struct openocd_child *child, const struct openocd_arguments *arguments,
                                      unsigned timeout_ms, struct error *error);

void openocd_child_end(struct openocd_child *child);

#endif
