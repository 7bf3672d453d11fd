/* SPDX-License-Identifier: MIT */
/* The probe in sysfs and udev, and its device node, as programs under umockdev see them. */
#ifndef USBPROBE_TESTBED_H
#define USBPROBE_TESTBED_H

#include "usbfs.h"

struct testbed {
    UMockdevTestbed *umockdev;
    unsigned device; /* its number on the bus; counts up with each plugging in */
    bool plugged;
    bool denied; /* only root may open its node */
};

bool testbed_open(struct testbed *testbed);
void testbed_close(struct testbed *testbed);

/* The device appears, its files first and udev's event last; or it disappears. */
bool testbed_plug(struct testbed *testbed, const struct usb_identity *identity, UMockdevIoctlBase *handler);
void testbed_unplug(struct testbed *testbed);

/* The node's permissions, now and when it is plugged in again. */
bool testbed_permit(struct testbed *testbed, bool permitted);

/* Writes the environment variables that let a program see the device, as shell commands, to a file that is renamed into
 * place. */
bool testbed_write_environment(const struct testbed *testbed, const char *path);

#endif
