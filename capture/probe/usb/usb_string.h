/* SPDX-License-Identifier: MIT */
/* The strings of a USB device, which may hold any bytes. Pure. */
#ifndef TXTAP_CAPTURE_PROBE_USB_USB_STRING_H
#define TXTAP_CAPTURE_PROBE_USB_USB_STRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
