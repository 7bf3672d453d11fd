/* SPDX-License-Identifier: MIT */
/*
 * An OpenOCD that txtap starts, on free ports of 127.0.0.1, and ends. It does not poll its target by itself. Knows
 * processes and logs; what is read through it is openocd.h's.
 */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_CHILD_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_CHILD_H

#include "base/child.h"
#include "base/failure.h"
#include "probe/openocd/openocd_arguments.h"
#include "probe/openocd/openocd_log.h"
#include "txtap/status.h"

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
