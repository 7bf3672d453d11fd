/* SPDX-License-Identifier: MIT */
/*
 * The USB part of a probe: its identity, its descriptors, and the results of transfers. Knows no probe's commands.
 * Source for layouts: Universal Serial Bus Specification 2.0, chapter 9.
 */
#ifndef USBPROBE_USB_H
#define USBPROBE_USB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define USB_SETUP_BYTES       8
#define USB_DESCRIPTORS_BYTES 64  /* device and configuration descriptors, one after the other */
#define USB_STRING_BYTES      128 /* a string descriptor */
#define USB_REPORT_BYTES      40  /* a report descriptor */
#define USB_RAW_SERIAL_BYTES  12

enum usb_result {
    USB_DONE,
    USB_WAITS,    /* the device is not ready; ask again after the next transfer */
    USB_STALLED,  /* the endpoint halts until CLEAR_FEATURE */
    USB_OVERFLOW, /* the device sent more than there is room for */
    USB_GONE,     /* unplugged */
};

/* The identity of a device. It has one interface of class 0xFF, with a bulk endpoint in each direction. A third
 * endpoint (0: no such endpoint) never sends anything. A HID device has an interface of class 3 with interrupt
 * endpoints, and its reports are as long as its packets. */
struct usb_identity {
    const char *kind; /* name for the user */
    uint16_t vendor, product;
    const char *manufacturer, *name, *interface_name;
    bool high_speed;
    uint16_t packet_bytes; /* packet size of the endpoints */
    uint8_t out_endpoint, in_endpoint, trace_endpoint;
    const char *serial; /* "": no serial number */
    /* Replaces `serial`: one byte in each character, as in many ST-Link/V2; NULL: use `serial`. */
    const uint8_t *raw_serial;
    bool is_jlink; /* its interface has the subclass and the protocol 0xFF, and the endpoint IN comes first */
    bool is_hid;
};

/* Fills in a device descriptor and a configuration descriptor; returns their length. */
size_t usb_descriptors(const struct usb_identity *identity, uint8_t bytes[static USB_DESCRIPTORS_BYTES]);

/* Fills in the report descriptor of a HID device; returns its length. */
size_t usb_report_descriptor(const struct usb_identity *identity, uint8_t bytes[static USB_REPORT_BYTES]);

/* Answers requests on endpoint 0 for descriptors, strings, status and configuration. Stalls all other requests.
 * *length: length of the answer, at most `room` and the length in the request; 0 unless USB_DONE is returned. */
enum usb_result usb_control(const struct usb_identity *identity, const uint8_t setup[static USB_SETUP_BYTES],
                            uint8_t *data, size_t room, size_t *length);

#endif
