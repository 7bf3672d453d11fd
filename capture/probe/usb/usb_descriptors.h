/* SPDX-License-Identifier: MIT */
/* The descriptors and strings of a USB device, whose lengths may lie. Pure. */
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

#define USB_STRING_UNITS_MAX  126 /* a descriptor has 255 bytes at most, two of them in front */
#define USB_STRING_TEXT_BYTES (3 * USB_STRING_UNITS_MAX + 1)

/* UTF-16, in the order of the wire. {0}: no string. */
struct usb_string {
    uint16_t units[USB_STRING_UNITS_MAX];
    size_t count;
};

/*
 * From a string descriptor: offset 0 its length, offset 1 type 3, then UTF-16LE. Takes only bytes that are there and
 * within its length; another type gives no string. Source: USB 2.0, 9.6.7.
 */
void usb_string_from_descriptor(struct usb_string *string, const uint8_t *bytes, size_t length);

/* From a file in sysfs: UTF-8 and a line feed. Other bytes become U+FFFD. */
void usb_string_from_sysfs(struct usb_string *string, const char *bytes, size_t length);

/* UTF-8, NUL-terminated. NULs at the end are left out; others, and half surrogate pairs, are U+FFFD. Returns text. */
const char *usb_string_text(const struct usb_string *string, char text[static USB_STRING_TEXT_BYTES]);

/* word: ASCII */
bool usb_string_has(const struct usb_string *string, const char *word);

#endif
