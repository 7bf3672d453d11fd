/* SPDX-License-Identifier: MIT */
/* A CMSIS-DAP probe as a memory source, without OpenOCD. It never writes to the target's memory space, which
 * includes the debug registers: dap_permitted.def lists everything that is sent. */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_SOURCE_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_SOURCE_H

#include "base/failure.h"
#include "probe/dap/adi.h"
#include "probe/core_state.h"
#include "probe/dap/dap_pipe.h"
#include "txtap/source.h"

#define DAP_READ_BYTES_MAX 32768u
#define DAP_READS_MAX      32u
#define DAP_KHZ            4000 /* the default */

struct dap_settings {
    const char *name, *serial; /* name and serial number of the probe, for messages */
    const char *node;          /* file that disappears when the probe is unplugged; "": not known */
    struct adi_target target;
    unsigned khz; /* 0: DAP_KHZ */
};

struct dap_source;

/*
 * Connects to the target. Takes ownership of the pipe, even on failure. On failure error is one line. ERROR_CLOSED: the
 * probe was unplugged. ERROR_PROTOCOL: the device is not a CMSIS-DAP probe with SWD, or answers wrongly. ERROR_TIMEOUT:
 * the probe does not answer. ERROR_TARGET: no target answers, or its memory cannot be reached. ERROR_INTERRUPTED: the
 * user ended txtap. TXTAP_ERROR_SYSTEM: other failures. read() returns the same errors, and ERROR_FAULT. After
 * ERROR_FAULT and ERROR_TARGET the source remains usable.
 */
enum txtap_status dap_source_open(struct dap_source **out, struct dap_pipe pipe, const struct dap_settings *settings,
                                  unsigned timeout_ms, struct error *error);

struct txtap_source dap_source_of(struct dap_source *source);

/* Returns the state of the probe and the target. The source owns it. */
const struct adi *dap_source_adi(const struct dap_source *source);

/* Call core_state_read() and core_has_no_cycles(). */
enum core_state dap_source_core(struct dap_source *source);
bool dap_source_no_cycles(struct dap_source *source);

#endif
