/* SPDX-License-Identifier: MIT */
/* Identifies a USB device: is it a debug probe, which model, and what can txtap do with it? Pure. */
#ifndef TXTAP_CAPTURE_PROBE_USB_USB_DEVICE_H
#define TXTAP_CAPTURE_PROBE_USB_USB_DEVICE_H

#include <stdbool.h>

#include "probe/usb/usb_descriptors.h"
#include "probe/usb/usb_table.h"

/* A device's description of itself. */
struct usb_facts {
    struct usb_descriptors descriptors;
    struct usb_string manufacturer, product, serial;
    bool interface_is_dap[USB_INTERFACES_MAX]; /* the interface's string contains USB_DAP_WORD */
};

#define USB_DAP_WORD       "CMSIS-DAP"
#define USB_FIRMWARE_BYTES 16

/* How a CMSIS-DAP probe receives commands. */
enum usb_dap { USB_DAP_NONE, USB_DAP_HID /* version 1 */, USB_DAP_BULK /* version 2 */, USB_DAP_UNKNOWN };

/* All strings are constants or copies: nothing of the facts is borrowed. */
struct usb_identity {
    bool is_probe;
    uint16_t vendor, product, release;
    enum usb_use use;
    enum usb_dap dap;
    size_t dap_interface;                /* with USB_DAP_HID and USB_DAP_BULK: index into interfaces[] */
    uint8_t dap_number, dap_out, dap_in; /* with USB_DAP_BULK and is_jlink: number and endpoints of the interface */
    bool is_jlink;                       /* a J-Link with its own protocol, whose interface was found */
    const char *name;                    /* NULL: use product_text */
    const char *generation;
    const char *interface, *transport, *more; /* the same members as in struct usb_row */
    unsigned quirks; /* set of enum usb_quirk; USB_QUIRK_RULE is also set if OpenOCD's rule matches a string */
    char manufacturer_text[USB_STRING_TEXT_BYTES], product_text[USB_STRING_TEXT_BYTES];
    char serial[USB_STRING_TEXT_BYTES]; /* in the form for OpenOCD's "adapter serial"; "": no serial number */
    bool serial_is_raw;                 /* serial is the hexadecimal form of raw bytes */
    bool serial_is_cut;                 /* some or all raw bytes are missing, because sysfs ends a string at a 0 */
    char firmware[USB_FIRMWARE_BYTES];  /* "": no descriptor has the firmware version */
};

/* Identifies a device. interface_is_dap and the strings for manufacturer, product and serial number may be missing.
 * Then the ids identify the device. */
void usb_device_identify(const struct usb_facts *facts, struct usb_identity *identity);

/* Returns true for an ST-Link V2, V2-1 or V3 with firmware for a debugger. */
bool usb_is_stlink(const struct usb_identity *identity);

/* Returns true if txtap can drive it without OpenOCD: a CMSIS-DAP probe, a J-Link, or such an ST-Link. */
bool usb_is_direct(const struct usb_identity *identity);

/* Returns the probe's name; never NULL. */
const char *usb_device_name(const struct usb_identity *identity);

#endif
