/* SPDX-License-Identifier: MIT */
/* What a USB device is: a debug probe or not, which one, and what txtap does with it. Pure. */
#ifndef TXTAP_CAPTURE_PROBE_USB_USB_DEVICE_H
#define TXTAP_CAPTURE_PROBE_USB_USB_DEVICE_H

#include <stdbool.h>

#include "probe/usb/usb_descriptors.h"
#include "probe/usb/usb_table.h"

/* What a device says about itself. */
struct usb_facts {
    struct usb_descriptors descriptors;
    struct usb_string manufacturer, product, serial;
    bool interface_is_dap[USB_INTERFACES_MAX]; /* its string has USB_DAP_WORD */
};

#define USB_DAP_WORD       "CMSIS-DAP"
#define USB_FIRMWARE_BYTES 16

/* Of a CMSIS-DAP probe: how commands go to it. */
enum usb_dap { USB_DAP_NONE, USB_DAP_HID /* version 1 */, USB_DAP_BULK /* version 2 */, USB_DAP_UNKNOWN };

/* Constant strings, or copies: nothing of the facts is borrowed. */
struct usb_identity {
    bool is_probe;
    uint16_t vendor, product, release;
    enum usb_use use;
    enum usb_dap dap;
    size_t dap_interface;                /* with USB_DAP_HID and USB_DAP_BULK: index into interfaces[] */
    uint8_t dap_number, dap_out, dap_in; /* with USB_DAP_BULK: the interface, its endpoints */
    const char *name;                    /* NULL: product_text says it */
    const char *generation;
    const char *interface, *transport, *more; /* as in struct usb_row */
    unsigned quirks; /* of enum usb_quirk; USB_QUIRK_RULE also where the rule goes by a string */
    char manufacturer_text[USB_STRING_TEXT_BYTES], product_text[USB_STRING_TEXT_BYTES];
    char serial[USB_STRING_TEXT_BYTES]; /* as OpenOCD's "adapter serial" takes it; "" without one */
    bool serial_is_raw;                 /* it is the hexadecimal form of raw bytes */
    bool serial_is_cut;                 /* some of these, or all, are missing: sysfs ends a string at a 0 */
    char firmware[USB_FIRMWARE_BYTES];  /* "": no descriptor has it */
};

/* The strings of manufacturer, product and serial, and interface_is_dap, may be missing: ids identify then. */
void usb_device_identify(const struct usb_facts *facts, struct usb_identity *identity);

/* txtap can drive it without OpenOCD: a CMSIS-DAP of version 2. */
bool usb_is_direct(const struct usb_identity *identity);

/* Never NULL. */
const char *usb_device_name(const struct usb_identity *identity);

#endif
