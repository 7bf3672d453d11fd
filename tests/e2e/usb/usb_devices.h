/* SPDX-License-Identifier: MIT */
/* Devices for the emulated bus: their properties and descriptors. */
#ifndef TXTAP_TESTS_E2E_USB_DEVICES_H
#define TXTAP_TESTS_E2E_USB_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#define INTERFACES_MAX        4
#define INTERFACE_TEXT_BYTES  64
#define DESCRIPTORS_BYTES_MAX 1024

struct device {
    const char *name; /* in commands */
    unsigned vendor, product, release, class;
    const char *manufacturer, *product_text, *serial; /* text in sysfs; NULL: no such file */
    /* "FF oi Debug;03 I": for each interface its class, its endpoints (o: bulk out, i: bulk in, I: interrupt in), and
     * its string if it has one. */
    const char *interfaces;
    const char *port; /* port of bus 1; "usb1": the bus itself */
    unsigned address;
    const char *hidraw; /* hidraw node of the first interface, or NULL */
};

struct interface {
    unsigned class;
    char endpoints[8];
    char text[INTERFACE_TEXT_BYTES]; /* "": none */
};

/* Finds a device; NULL: no such device. */
const struct device *device_find(const char *name);

/* Returns their number. */
size_t device_interfaces(const struct device *device, struct interface interfaces[static INTERFACES_MAX]);

/* Writes the device and configuration descriptors in sysfs's form. Returns their length. */
size_t device_descriptors(const struct device *device, uint8_t bytes[static DESCRIPTORS_BYTES_MAX]);

#endif
