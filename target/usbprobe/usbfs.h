/* SPDX-License-Identifier: MIT */
/*
 * Linux's usbfs in front of a probe: the ioctls of /dev/bus/usb/BUS/DEVICE, as umockdev hands them over from programs
 * that run under it. Claims, transfers that are submitted and reaped, and handles that die with an unplugged device.
 */
#ifndef USBPROBE_USBFS_H
#define USBPROBE_USBFS_H

#include "usb_probe.h"

#include <umockdev.h>

struct usbfs_node; /* one device number: a probe that is plugged in again gets another one */

struct usbfs {
    struct usb_probe *probe;
    struct usbfs_node *node; /* the one that is plugged in, or NULL */
    GSList *old_nodes;
    GMutex lock; /* umockdev calls from its own thread; guards the probe too */
    bool busy;   /* another program holds the interface */
    int wake_fd; /* an eventfd, written to when a fault unplugs the probe, or the board is lost */
    const bool *board_lost;
    uint64_t transfers; /* that were reaped */
    uint64_t opened;    /* handles, so far */
};

/* Nodes stay until the process ends: umockdev's thread may still refer to them. */
void usbfs_init(struct usbfs *usbfs, struct usb_probe *probe, int wake_fd, const bool *board_lost);

/* A new device; returns what umockdev has to attach to its node. The probe has been reset. */
UMockdevIoctlBase *usbfs_plug(struct usbfs *usbfs);

/* Every transfer under way fails, and so does every later use of its handles. */
void usbfs_unplug(struct usbfs *usbfs);

bool usbfs_is_claimed(struct usbfs *usbfs);

#endif
