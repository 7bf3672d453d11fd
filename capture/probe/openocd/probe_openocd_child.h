/* SPDX-License-Identifier: MIT */
/* What the rows of probes have in common that start OpenOCD. */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_PROBE_OPENOCD_CHILD_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_PROBE_OPENOCD_CHILD_H

#include "probe/openocd/openocd_arguments.h"
#include "probe/probe.h"

/* The OpenOCD to start. */
const char *probe_child_program(const struct probe_options *options);

/* What OpenOCD is started for. Borrowed for the call. */
struct child_purpose {
    const char *name;   /* "ST-Link/V2-1", or "it" */
    const char *serial; /* "": none */
    const char *node;   /* a file in /dev that goes when it is unplugged; "": none */
};

/* open() of a row: starts OpenOCD and connects to it. The source closes all of it. */
enum txtap_status probe_child_open(const struct openocd_arguments *arguments, const struct child_purpose *purpose,
                                   const struct probe_options *options, unsigned timeout_ms, void **self,
                                   struct txtap_source *source, struct error *error);

#endif
