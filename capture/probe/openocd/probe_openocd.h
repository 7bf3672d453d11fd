/* SPDX-License-Identifier: MIT */
/* Functions of OpenOCD's row that other probes also use for a connection to its Tcl port. */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_PROBE_OPENOCD_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_PROBE_OPENOCD_H

#include "probe/openocd/openocd.h"
#include "probe/probe.h"

/* Returns the core's state. This function and the next two are core(), print() and announce() of a row; `tcl` is a
 * struct tcl_source. */
enum core_state probe_openocd_core(void *tcl);
void probe_openocd_print(void *tcl, const struct probe_options *options);
void probe_openocd_announce(void *tcl, const struct probe_options *options);

/* Does the same as print(), with this printable name of the server: "OpenOCD at 127.0.0.1:6666". */
void probe_openocd_print_as(void *tcl, const char *server);

#endif
