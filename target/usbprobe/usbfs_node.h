/* SPDX-License-Identifier: MIT */
/* Shared by usbfs.c, usbfs_urb.c and hidraw.c: one device number, and its transfers. The lock of usbfs is held
 * throughout. */
#ifndef USBPROBE_USBFS_NODE_H
#define USBPROBE_USBFS_NODE_H

#include "usbfs.h"

struct usbfs_node {
    struct usbfs *usbfs;
    UMockdevIoctlBase *handler;
    UMockdevIoctlClient *owner; /* owner of the interface */
    GList *urbs;                /* in the order in which they were submitted */
    bool dead;                  /* unplugged */
};

/* Returns true if the program has claimed the interface, or if no program has claimed it. */
bool usbfs_may_use(const struct usbfs_node *node, const UMockdevIoctlClient *client);

/* Returns a copy of the structure in the program's memory to which an ioctl's argument points. The copy is written back
 * when the ioctl completes. The caller unrefs `data`. NULL: no such structure. */
void *usbfs_argument(UMockdevIoctlClient *client, size_t bytes, UMockdevIoctlData **data);

/* Tells the main thread if a fault has unplugged the probe, or if the board is lost. */
void usbfs_wake_up(struct usbfs *usbfs);

/* Carry out the ioctls. Each returns an errno, or 0. */
int urbs_submit(struct usbfs_node *node, UMockdevIoctlClient *client);
int urbs_reap(struct usbfs_node *node, UMockdevIoctlClient *client);
int urbs_discard(struct usbfs_node *node, UMockdevIoctlClient *client);

void urbs_fail(struct usbfs_node *node); /* fails all pending transfers */
void urbs_forget(struct usbfs_node *node, const GObject *client);

#endif
