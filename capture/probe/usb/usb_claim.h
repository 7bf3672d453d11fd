/* SPDX-License-Identifier: MIT */
/* Opens a probe on USB with libusb, and claims its interface. */
#ifndef TXTAP_CAPTURE_PROBE_USB_USB_CLAIM_H
#define TXTAP_CAPTURE_PROBE_USB_USB_CLAIM_H

#include <libusb.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "probe/usb/usb_probe.h"

struct usb_claim {
    libusb_context *context;
    libusb_device_handle *handle;
    int interface; /* the claimed interface; -1: not claimed */
};

/* Opens the probe and claims the interface. On failure nothing stays open, and error is one line. ERROR_TARGET: the
 * probe is in use, or access is denied. ERROR_CLOSED: it was unplugged. TXTAP_ERROR_SYSTEM: other failures. */
enum txtap_status usb_claim_open(struct usb_claim *claim, const struct usb_probe *probe, uint8_t interface,
                                 struct error *error);

/* Handles events of transfers for at most `us` microseconds. */
void usb_claim_wait(struct usb_claim *claim, uint64_t us);

/* Releases and closes everything that is open. No transfer may be under way. */
void usb_claim_close(struct usb_claim *claim);

#endif
