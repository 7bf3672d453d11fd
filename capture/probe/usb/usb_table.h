/* SPDX-License-Identifier: MIT */
/* Known debug probes by their USB ids: a constant table. */
#ifndef TXTAP_CAPTURE_PROBE_USB_USB_TABLE_H
#define TXTAP_CAPTURE_PROBE_USB_USB_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* How txtap can use a probe. */
enum usb_use {
    USB_OPENOCD,  /* through OpenOCD 0.12, with the row's interface file and transport */
    USB_CHOOSE,   /* a probe, but its ids do not tell which file of OpenOCD fits */
    USB_PERHAPS,  /* the ids of a chip that is used in probes and in many other devices */
    USB_TOO_NEW,  /* known to OpenOCD's development branch, but not to 0.12 */
    USB_UNKNOWN,  /* a probe that no version of OpenOCD knows */
    USB_UNUSABLE, /* a probe, or a mode of a probe, that txtap cannot use */
};

enum usb_quirk {
    USB_QUIRK_RULE = 1, /* OpenOCD's 60-openocd.rules has its ids */
    /* its serial number may be 12 raw bytes, which OpenOCD expects as 24 hexadecimal digits */
    USB_QUIRK_RAW_SERIAL = 2,
    USB_QUIRK_RELEASE = 4,   /* bcdDevice is the firmware version: 0x0221 is 2.2.1 */
    USB_QUIRK_DAPDIRECT = 8, /* interface/stlink-dap.cfg with dapdirect_swd also fits, for firmware V2J24 and later */
};

struct usb_row {
    uint16_t vendor, product;
    const char *name, *generation;
    enum usb_use use;
    const char *interface, *transport; /* only with USB_OPENOCD, else NULL; the file is relative to OpenOCD's scripts */
    const char *more;                  /* with USB_OPENOCD: a command that OpenOCD needs; else: a next step; or NULL */
    unsigned quirks;                   /* set of enum usb_quirk */
    const char *source;
};

/* Returns a row; the order has no meaning. NULL after the last row. */
const struct usb_row *usb_table_row(size_t index);

/* NULL: unknown ids. */
const struct usb_row *usb_table_find(uint16_t vendor, uint16_t product);

#endif
