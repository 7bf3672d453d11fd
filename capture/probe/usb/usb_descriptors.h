/* SPDX-License-Identifier: MIT */
/* The descriptors of a USB device, whose lengths may lie. Pure. */
#ifndef TXTAP_CAPTURE_PROBE_USB_USB_DESCRIPTORS_H
#define TXTAP_CAPTURE_PROBE_USB_USB_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define USB_INTERFACES_MAX 32

enum usb_class { USB_CLASS_HID = 0x03, USB_CLASS_HUB = 0x09, USB_CLASS_VENDOR = 0xFF };

struct usb_interface {
    uint8_t configuration, number;
    uint8_t class, subclass, protocol;
    uint8_t bulk_out, bulk_in; /* addresses of its first two endpoints if they are a bulk pair in this order; else 0 */
    uint8_t endpoints;         /* how many were seen */
};

struct usb_descriptors {
    uint16_t vendor, product, release; /* release: bcdDevice */
    uint8_t device_class;
    uint8_t manufacturer_index, product_index, serial_index; /* of strings; 0: none */
    struct usb_interface interfaces[USB_INTERFACES_MAX];     /* without their alternate settings */
    size_t interface_count;
};

/*
 * bytes: the device descriptor, and behind it the configurations, as in sysfs' "descriptors". Each descriptor begins
 * with its length and its type; the lengths that the configurations state for the whole are not used. What stands
 * behind a length that cannot be is left out. False, and nothing filled in, without a whole device descriptor. Source:
 * USB 2.0, 9.6.
 */
bool usb_descriptors_parse(struct usb_descriptors *descriptors, const uint8_t *bytes, size_t length);

#endif
