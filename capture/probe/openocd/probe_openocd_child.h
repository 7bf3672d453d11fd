/* SPDX-License-Identifier: MIT */
/* Common parts of the rows that start OpenOCD. */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_PROBE_OPENOCD_CHILD_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_PROBE_OPENOCD_CHILD_H

#include "probe/openocd/openocd_arguments.h"
#include "probe/probe.h"

/* Returns the OpenOCD program to start. */
const char *probe_child_program(const struct probe_options *options);

/* The probe for which OpenOCD is started. Borrowed for the call. */
struct child_purpose {
    const char *name;   /* "ST-Link/V2-1", or "it" */
    const char *serial; /* "": no serial number */
    const char *node;   /* file in /dev that disappears when the probe is unplugged; "": no such file */
};

/* Starts OpenOCD and connects to it: the common part of open() for all kinds of probe that start OpenOCD. Closing the
 * source also ends OpenOCD. */
enum txtap_status probe_child_open(const struct openocd_arguments *arguments, const struct child_purpose *purpose,
                                   const struct probe_options *options, unsigned timeout_ms, void **self,
                                   struct txtap_source *source, struct error *error);

#endif
