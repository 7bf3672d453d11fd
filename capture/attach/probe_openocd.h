/* SPDX-License-Identifier: MIT */
/* What can be asked of OpenOCD on its Tcl port, for the probes that have such a connection. */
#ifndef TXTAP_CAPTURE_ATTACH_PROBE_OPENOCD_H
#define TXTAP_CAPTURE_ATTACH_PROBE_OPENOCD_H

#include "options/target.h"
#include "probe/openocd.h"
#include "stream/follow.h"

enum follow_core probe_openocd_core(struct tcl_source *tcl);

/* The line of info about the server. */
void probe_openocd_print(struct tcl_source *tcl, const struct target_options *options);

#endif
