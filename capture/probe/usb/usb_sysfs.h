/* SPDX-License-Identifier: MIT */
/* What Linux knows about USB devices: attributes in sysfs, nodes in /dev, open files in /proc. */
#ifndef TXTAP_CAPTURE_PROBE_USB_USB_SYSFS_H
#define TXTAP_CAPTURE_PROBE_USB_USB_SYSFS_H

#include "probe/usb/usb_probe.h"

/* The device that sysfs has at that port has that number. */
bool usb_sysfs_has(const char *port, unsigned bus, unsigned address);

/*
 * Fills in what sysfs has of the device at a port, such as "1-4.2": descriptors and strings. Without a descriptors file
 * facts->descriptors stay as they are.
 */
void usb_sysfs_read(const char *port, struct usb_facts *facts);

/* A process has claimed one of its interfaces through usbfs. */
bool usb_sysfs_is_claimed(const char *port, const struct usb_descriptors *descriptors);

/* The /dev/hidrawN of an interface. False if it has no such node; then node is unchanged. */
bool usb_sysfs_hidraw(const char *port, const struct usb_interface *interface, char node[static USB_NODE_BYTES]);

/* Opens the probe's node for a moment and sets its state; if that is forbidden, its owner as well. */
void usb_node_try(struct usb_probe *probe);

/*
 * Finds the process that uses each of count probes: of those that are busy, and of each probe i with may_be_open[i],
 * which becomes busy if another process has its node open. Reads /proc once.
 */
void usb_node_holders(struct usb_probe *probes, const bool *may_be_open, size_t count);

void usb_system_read(struct usb_system *system);

#endif
