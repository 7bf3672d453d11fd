/* SPDX-License-Identifier: MIT */
/* The probe in sysfs and udev, and its device node, as programs under umockdev see them. */
#ifndef USBPROBE_TESTBED_H
#define USBPROBE_TESTBED_H

#include "usbfs.h"

struct testbed {
    UMockdevTestbed *umockdev;
    unsigned device; /* the probe's number on the bus; incremented at each plugging in */
    bool plugged;
    bool denied; /* only root may open the probe's node */
};

bool testbed_open(struct testbed *testbed);
void testbed_close(struct testbed *testbed);

/* Makes the device appear: its files first and udev's event last; or makes it disappear. */
bool testbed_plug(struct testbed *testbed, const struct usb_identity *identity, UMockdevIoctlBase *handler);
void testbed_unplug(struct testbed *testbed);

/* Sets the node's permissions, now and for each later plugging in. */
bool testbed_permit(struct testbed *testbed, bool permitted);

/* Writes a file of shell commands that set the environment variables with which a program sees the device. The file
 * is renamed into place. */
bool testbed_write_environment(const struct testbed *testbed, const char *path);

#endif
