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

/*
 * open() of a row: starts OpenOCD and connects to it. The source closes all of it; the functions below are of such a
 * row.
 */
enum txtap_status probe_child_open(const struct openocd_arguments *arguments, const struct child_purpose *purpose,
                                   const struct probe_options *options, unsigned timeout_ms, void **self,
                                   struct txtap_source *source, struct error *error);
void probe_child_describe(void *self, const struct probe_options *options, char out[static PROBE_TEXT_BYTES]);
void probe_child_print(void *self, const struct probe_options *options);
void probe_child_announce(void *self, const struct probe_options *options);
enum core_state probe_child_core(void *self);

#endif
