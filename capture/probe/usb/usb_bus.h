/* SPDX-License-Identifier: MIT */
/*
 * Lists the probes on USB and waits for changes, with libusb. usb_none.c replaces usb_bus.c in a build without libusb.
 */
#ifndef TXTAP_CAPTURE_PROBE_USB_USB_BUS_H
#define TXTAP_CAPTURE_PROBE_USB_USB_BUS_H

#include <stdint.h>

#include "base/failure.h"
#include "probe/usb/usb_probe.h"

/* Fills `list`, which the caller frees with usb_list_free(). TXTAP_ERROR_SYSTEM: libusb cannot access USB, or txtap was
 * built without libusb; the list is then empty. */
enum txtap_status usb_list_read(struct usb_list *list, struct error *error);
void usb_list_free(struct usb_list *list);

struct usb_watch;

/* Returns NULL if libusb cannot report changes. usb_watch_wait() then only waits. */
struct usb_watch *usb_watch_open(void);

/* Returns when a device was plugged in or unplugged, when the user ends txtap, or after `us` microseconds. */
void usb_watch_wait(struct usb_watch *watch, uint64_t us);
void usb_watch_close(struct usb_watch *watch);

#endif
