/* SPDX-License-Identifier: MIT */
/*
 * Linux's hidraw for an emulated HID probe: the reads, writes and ioctls of /dev/hidrawN. umockdev passes them on from
 * the programs that run under it. Each open handle gets all reports of the probe.
 */
#ifndef USBPROBE_HIDRAW_H
#define USBPROBE_HIDRAW_H

#include "usbfs.h"

struct hidraw_node; /* one number N: a probe that is plugged in again gets another number */

struct hidraw {
    struct usbfs *usbfs; /* has the probe, its lock, and the counts */
    struct hidraw_node *node;
};

void hidraw_init(struct hidraw *hidraw, struct usbfs *usbfs);

/* Adds a node, whose file is the named pipe at `path`. Returns the handler that umockdev has to attach to the node.
 * Nodes live until the process ends. */
UMockdevIoctlBase *hidraw_plug(struct hidraw *hidraw, const char *path);

/* Unplugs the node: all later uses of its handles fail. */
void hidraw_unplug(struct hidraw *hidraw);

/* Returns true if a program has the node open. */
bool hidraw_is_open(struct hidraw *hidraw);

#endif
