/* SPDX-License-Identifier: MIT */
/* The bulk endpoints of a CMSIS-DAP v2 probe on USB, with libusb's asynchronous transfers. */
#ifndef TXTAP_CAPTURE_PROBE_USB_DAP_USB_H
#define TXTAP_CAPTURE_PROBE_USB_DAP_USB_H

#include "base/failure.h"
#include "probe/dap/dap_pipe.h"
#include "probe/usb/usb_probe.h"

/*
 * Opens the probe and claims its interface. The caller closes the pipe with its close(). On failure nothing stays open,
 * and error is one line. ERROR_TARGET: the probe is in use, or access is denied. ERROR_CLOSED: it was unplugged.
 * TXTAP_ERROR_SYSTEM: other failures.
 */
enum txtap_status dap_usb_open(struct dap_pipe *pipe, const struct usb_probe *probe, struct error *error);

#endif
