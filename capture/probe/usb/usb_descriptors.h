/* SPDX-License-Identifier: MIT */
/* Parses the descriptors and strings of a USB device, whose lengths may be wrong. Pure. */
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
    uint8_t any_out, any_in;   /* addresses of its first bulk endpoint in each direction, in any order; or 0 */
    uint8_t endpoints;         /* number of endpoints */
};

struct usb_descriptors {
    uint16_t vendor, product, release; /* release: bcdDevice */
    uint8_t device_class;
    uint8_t manufacturer_index, product_index, serial_index; /* indexes of strings; 0: no string */
    struct usb_interface interfaces[USB_INTERFACES_MAX];     /* only the default alternate settings */
    size_t interface_count;
};

/*
 * Parses descriptors. `bytes` is the device descriptor followed by the configurations, as in sysfs' "descriptors". Each
 * descriptor begins with its length and its type. The total lengths in the configurations are ignored. Everything after
 * an impossible length is ignored. Returns false, and fills in nothing, without a complete device descriptor. Source:
 * USB 2.0, 9.6.
 */
bool usb_descriptors_parse(struct usb_descriptors *descriptors, const uint8_t *bytes, size_t length);

#define USB_STRING_UNITS_MAX  126 /* a descriptor has at most 255 bytes; its first two bytes are length and type */
#define USB_STRING_TEXT_BYTES (3 * USB_STRING_UNITS_MAX + 1)

/* A string in UTF-16, in wire order. {0}: no string. */
struct usb_string {
    uint16_t units[USB_STRING_UNITS_MAX];
    size_t count;
};

/* Parses a string descriptor: offset 0 its length, offset 1 type 3, then UTF-16LE. Takes only bytes that exist and are
 * within its length. Another type gives no string. Source: USB 2.0, 9.6.7. */
void usb_string_from_descriptor(struct usb_string *string, const uint8_t *bytes, size_t length);

/* Parses a file in sysfs: UTF-8 and a line feed. Invalid bytes become U+FFFD. */
void usb_string_from_sysfs(struct usb_string *string, const char *bytes, size_t length);

/* Converts to UTF-8, NUL-terminated. NULs at the end are dropped. Other NULs and half surrogate pairs become U+FFFD.
 * Returns `text`. */
const char *usb_string_text(const struct usb_string *string, char text[static USB_STRING_TEXT_BYTES]);

/* word: ASCII */
bool usb_string_has(const struct usb_string *string, const char *word);

#endif
