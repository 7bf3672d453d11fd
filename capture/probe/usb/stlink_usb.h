/* SPDX-License-Identifier: MIT */
/* The bulk endpoints of an ST-Link on USB: one command at a time. */
#ifndef TXTAP_CAPTURE_PROBE_USB_STLINK_USB_H
#define TXTAP_CAPTURE_PROBE_USB_STLINK_USB_H

#include "base/failure.h"
#include "probe/stlink/stlink_pipe.h"
#include "probe/usb/usb_probe.h"

/* Opens the probe and claims its interface, with the errors of usb_claim_open(). The caller closes the pipe with its
 * close(). */
enum txtap_status stlink_usb_open(struct stlink_pipe *pipe, const struct usb_probe *probe, struct error *error);

#endif
