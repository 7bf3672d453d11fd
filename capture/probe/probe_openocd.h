/* SPDX-License-Identifier: MIT */
/* What can be asked of OpenOCD on its Tcl port, for the probes that have such a connection. */
#ifndef TXTAP_CAPTURE_PROBE_PROBE_OPENOCD_H
#define TXTAP_CAPTURE_PROBE_PROBE_OPENOCD_H

#include "probe/openocd.h"
#include "probe/probe.h"

enum core_state probe_openocd_core(struct tcl_source *tcl);

/* Prints the row of info about the server. */
void probe_openocd_print(struct tcl_source *tcl, const struct probe_options *options);

#endif
