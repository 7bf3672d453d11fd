/* SPDX-License-Identifier: MIT */
/*
 * What OpenOCD prints while it starts: its version, its Tcl port, and the one line that says why it cannot go on. Bytes
 * in, numbers and sentences out.
 */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_LOG_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_LOG_H

#include <stddef.h>

#include "base/failure.h"
#include "txtap/status.h"

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

#endif
