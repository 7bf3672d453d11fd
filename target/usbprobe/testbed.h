/* SPDX-License-Identifier: MIT */
/* Probes in sysfs and udev, and their device nodes, as programs under umockdev see them. */
#ifndef USBPROBE_TESTBED_H
#define USBPROBE_TESTBED_H

#include "hidraw.h"
#include "usbfs.h"

#define TESTBED_DEVICES_MAX 127

/* The bus that all probes are plugged into. */
struct testbed_bus {
    UMockdevTestbed *umockdev;
    unsigned device;                       /* the number of the last device; the root hub is 1 */
    bool is_used[TESTBED_DEVICES_MAX + 1]; /* by number: the device is plugged in */
};

/* A port of the bus, with a probe. */
struct testbed {
    struct testbed_bus *bus;
    unsigned port;   /* 1: the probe is the device 1-1 in sysfs */
    unsigned device; /* the probe's number on the bus, and of its hidraw node; another number at each plugging in */
    bool is_hid;     /* the plugged-in device has a hidraw node */
    bool plugged;
    bool denied; /* only root may open the probe's node */
};

bool testbed_bus_open(struct testbed_bus *bus);
void testbed_bus_close(struct testbed_bus *bus);

void testbed_init(struct testbed *testbed, struct testbed_bus *bus, unsigned port);

/* Make the device appear and disappear. When it appears, udev's event comes after the device's files. A HID device also
 * gets a node of `hidraw`. */
bool testbed_plug(struct testbed *testbed, const struct usb_identity *identity, UMockdevIoctlBase *handler,
                  struct hidraw *hidraw);
void testbed_unplug(struct testbed *testbed);

/* Sets the node's permissions, now and for each later plugging in. */
bool testbed_permit(struct testbed *testbed, bool permitted);

/* Writes a file of shell commands. They set the environment variables that a program needs to see the devices. The file
 * gets its name only when it is complete. */
bool testbed_write_environment(const struct testbed_bus *bus, const char *path);

#endif
