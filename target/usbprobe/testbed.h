/* SPDX-License-Identifier: MIT */
/* The probe in sysfs and udev, and its device node, as programs under umockdev see them. */
#ifndef USBPROBE_TESTBED_H
#define USBPROBE_TESTBED_H

#include "hidraw.h"
#include "usbfs.h"

struct testbed {
    UMockdevTestbed *umockdev;
    unsigned device; /* the probe's number on the bus, and of its hidraw node; incremented at each plugging in */
    bool is_hid;     /* the plugged-in device has a hidraw node */
    bool plugged;
    bool denied; /* only root may open the probe's node */
};

bool testbed_open(struct testbed *testbed);
void testbed_close(struct testbed *testbed);

/* Make the device appear and disappear. When it appears, udev's event comes after the device's files. A HID device also
 * gets a node of `hidraw`. */
bool testbed_plug(struct testbed *testbed, const struct usb_identity *identity, UMockdevIoctlBase *handler,
                  struct hidraw *hidraw);
void testbed_unplug(struct testbed *testbed);

/* Sets the node's permissions, now and for each later plugging in. */
bool testbed_permit(struct testbed *testbed, bool permitted);

/* Writes a file of shell commands. They set the environment variables that a program needs to see the device. The file
 * gets its name only when it is complete. */
bool testbed_write_environment(const struct testbed *testbed, const char *path);

#endif
