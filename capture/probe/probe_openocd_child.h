/* SPDX-License-Identifier: MIT */
/* What the rows of probes have in common that start OpenOCD. */
#ifndef TXTAP_CAPTURE_PROBE_PROBE_OPENOCD_CHILD_H
#define TXTAP_CAPTURE_PROBE_PROBE_OPENOCD_CHILD_H

#include "probe/openocd_arguments.h"
#include "probe/probe.h"

/* The OpenOCD to start. */
const char *probe_child_program(const struct probe_options *options);

/*
 * open() of a row: starts OpenOCD and connects to it. what: it is started for, "it", "ST-Link/V2-1". The source closes
 * all of it; the functions below are of such a row.
 */
enum txtap_status probe_child_open(const struct openocd_arguments *arguments, const char *what,
                                   const struct probe_options *options, unsigned timeout_ms, void **self,
                                   struct txtap_source *source, struct error *error);
void probe_child_describe(void *self, const struct probe_options *options, char out[static PROBE_TEXT_BYTES]);
void probe_child_print(void *self, const struct probe_options *options);
void probe_child_announce(void *self, const struct probe_options *options);
enum core_state probe_child_core(void *self);

#endif
