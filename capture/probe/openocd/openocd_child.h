/* SPDX-License-Identifier: MIT */
/* Starts and ends an OpenOCD on free ports of 127.0.0.1. This OpenOCD does not poll its target by itself. This file
 * knows processes and logs; openocd.h reads memory. */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_CHILD_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_CHILD_H

#include <stddef.h>

#include "base/child.h"
#include "base/failure.h"
#include "probe/openocd/openocd_arguments.h"
#include "txtap/status.h"

/* ---- the log ---- */

/* Parses OpenOCD's output while it starts, for its version, its Tcl port, and the most useful line about a failure. It
 * gets bytes and returns numbers and sentences. */

#define OPENOCD_LINE_BYTES    200
#define OPENOCD_VERSION_BYTES 32

/* {0}: nothing read yet. */
struct openocd_log {
    char line[OPENOCD_LINE_BYTES]; /* the part of the last line that was read */
    size_t length;
    char version[OPENOCD_VERSION_BYTES]; /* "0.12.0", "0.12.0+dev-01234-gabcdef"; "": not printed yet */
    unsigned port;                       /* port of OpenOCD's Tcl server; 0: not printed yet */
    unsigned rank;                       /* usefulness of `cause`: higher is more useful; 0: no cause */
    unsigned known;                      /* row of the table of known lines to which `cause` belongs */
    char cause[OPENOCD_LINE_BYTES];
};

/* Takes more of OpenOCD's output. */
void openocd_log_take(struct openocd_log *log, const char *bytes, size_t length);

/* Takes the text after the last line feed as a line. Call it after OpenOCD's last output. */
void openocd_log_end(struct openocd_log *log);

/*
 * Reports why OpenOCD could not start: error is one line with the cause, OpenOCD's words and the next step. Returns
 * ERROR_UNREACHABLE (no probe) or ERROR_TARGET (no target) if a later start may succeed, or ERROR_PROTOCOL if OpenOCD's
 * configuration must change first. program: the started program.
 */
enum txtap_status openocd_log_failure(const struct openocd_log *log, const char *program, struct error *error);

struct openocd_child {
    struct child process;
    struct openocd_log log;
    char port[8]; /* port of OpenOCD's Tcl server */
};

/*
 * Starts OpenOCD and waits until its Tcl port is open, at most timeout_ms. On failure no process is left, and error is
 * one line. TXTAP_ERROR_SYSTEM: OpenOCD cannot be run. A result of openocd_log_failure(): OpenOCD ended. ERROR_TIMEOUT:
 * OpenOCD neither opened the port nor ended. ERROR_INTERRUPTED: the user ended txtap.
 */
enum txtap_status openocd_child_start(struct openocd_child *child, const struct openocd_arguments *arguments,
                                      unsigned timeout_ms, struct error *error);

void openocd_child_end(struct openocd_child *child);

#endif
