/* SPDX-License-Identifier: MIT */
/* A CMSIS-DAP probe or a J-Link that txtap drives directly, as a kind of probe. */
#ifndef TXTAP_CAPTURE_PROBE_USB_PROBE_DAP_H
#define TXTAP_CAPTURE_PROBE_USB_PROBE_DAP_H

#include "probe/probe.h"
#include "probe/usb/usb_probe.h"

/* Returns true if txtap can drive the probe directly, and the user requests neither OpenOCD nor a chip that needs
 * OpenOCD. */
bool probe_dap_fits(const struct usb_identity *identity, const struct probe_options *options);

/* Opens a given probe that fits, like open() of probe_dap. */
enum txtap_status probe_dap_open(const struct usb_probe *probe, const struct probe_options *options,
                                 unsigned timeout_ms, void **self, struct txtap_source *source, struct error *error);

/* This row has no options and no open(), because probe_usb chooses it. */
extern const struct probe_kind probe_dap;

#endif
