/* SPDX-License-Identifier: MIT */
/*
 * A J-Link as a pipe of CMSIS-DAP commands: it does each command with the bits of the wire. So adi.h drives a target
 * behind a J-Link as it does behind a CMSIS-DAP, with the same permitted commands and the same checks.
 */
#ifndef TXTAP_CAPTURE_PROBE_JLINK_JLINK_PIPE_H
#define TXTAP_CAPTURE_PROBE_JLINK_JLINK_PIPE_H

#include "base/failure.h"
#include "probe/dap/dap_pipe.h"

/* Makes the pipe. bulk: the probe's bulk endpoints, which the pipe owns from now on, even on failure. On failure error
 * is one line. The pipe sends nothing before the first reset(). */
enum txtap_status jlink_pipe_open(struct dap_pipe *pipe, struct dap_pipe bulk, struct error *error);

#endif
