/* SPDX-License-Identifier: MIT */
/* A CMSIS-DAP v2 probe that txtap drives itself, as a row of probes. */
#ifndef TXTAP_CAPTURE_PROBE_USB_PROBE_DAP_H
#define TXTAP_CAPTURE_PROBE_USB_PROBE_DAP_H

#include "probe/probe.h"
#include "probe/usb/usb_probe.h"

/* Whether the probe can be driven directly, and the user wants no OpenOCD, nor a chip that needs OpenOCD's files. */
bool probe_dap_fits(const struct usb_identity *identity, const struct probe_options *options);

/* As open() of probe_dap, for this probe, which fits. */
enum txtap_status probe_dap_open(const struct usb_probe *probe, const struct probe_options *options,
                                 unsigned timeout_ms, void **self, struct txtap_source *source, struct error *error);

/* Without options and open(): probe_usb chooses it. */
extern const struct probe_kind probe_dap;

#endif
