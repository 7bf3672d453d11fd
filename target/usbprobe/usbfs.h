/* SPDX-License-Identifier: MIT */
/*
 * Linux's usbfs for an emulated probe: the ioctls of /dev/bus/usb/BUS/DEVICE. umockdev passes them on from the programs
 * that run under it. Handles claims, transfers (submit and reap), and handles whose device was unplugged.
 */
#ifndef USBPROBE_USBFS_H
#define USBPROBE_USBFS_H

#include "usb_probe.h"

#include <umockdev.h>

struct usbfs_node; /* one device number: a probe that is plugged in again gets another number */

struct usbfs {
    struct usb_probe *probe;
    struct usbfs_node *node; /* the node of the plugged-in device, or NULL */
    GSList *old_nodes;
    GMutex lock; /* needed because umockdev calls from its own thread; also guards the probe */
    bool busy;   /* another program has claimed the interface */
    int wake_fd; /* an eventfd, written when a fault unplugs the probe, or when the board is lost */
    const bool *board_lost;
    uint64_t transfers; /* number of reaped transfers */
    uint64_t opened;    /* number of opened handles */
};

/* Nodes live until the process ends: umockdev's thread may still refer to them. */
void usbfs_init(struct usbfs *usbfs, struct usb_probe *probe, int wake_fd, const bool *board_lost);

/* Adds a device; the caller has reset the probe. Returns the handler that umockdev has to attach to the node. */
UMockdevIoctlBase *usbfs_plug(struct usbfs *usbfs);

/* Unplugs the device: all pending transfers and all later uses of its handles fail. */
void usbfs_unplug(struct usbfs *usbfs);

bool usbfs_is_claimed(struct usbfs *usbfs);

#endif
