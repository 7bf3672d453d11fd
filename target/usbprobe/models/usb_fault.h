/* SPDX-License-Identifier: MIT */
/*
 * Faults of the USB wire: kind, number of answers before the fault, number of affected answers. Faults depend on the
 * number of answers and not on time, so that a test gets the same faults at any speed.
 */
#ifndef USBPROBE_USB_FAULT_H
#define USBPROBE_USB_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum usb_fault_kind {
    USB_FAULT_STALL,   /* the IN endpoint halts, the answer is lost */
    USB_FAULT_SHORT,   /* only half of the answer arrives */
    USB_FAULT_TIMEOUT, /* the answer never arrives */
    USB_FAULT_WRONG,   /* the first byte is inverted if it is a status or the command's number, not data */
    USB_FAULT_TWICE,   /* the answer arrives twice */
    USB_FAULT_MERGE,   /* the answer waits for the next answer, and arrives in one transfer with it */
    USB_FAULT_UNPLUG,  /* the probe is unplugged before its answer is fetched */
    USB_FAULT_REPLUG,  /* like USB_FAULT_UNPLUG, but the probe is plugged in again at once */
    USB_FAULT_KINDS
};

#define USB_FAULT_WHY_BYTES 128

struct usb_faults {
    struct {
        uint32_t after; /* number of answers before the first affected answer */
        uint32_t count; /* number of answers still to be affected; 0: not armed */
        uint64_t hits;
    } kinds[USB_FAULT_KINDS];
};

const char *usb_fault_name(enum usb_fault_kind kind);

/* Arms the fault in the text KIND[@AFTER][:COUNT]; AFTER is 0 and COUNT 1 if not given. False: nothing has changed,
 * and `why` has the error. */
bool usb_fault_arm(struct usb_faults *faults, const char *text, char why[static USB_FAULT_WHY_BYTES]);

/* Returns true if the fault affects the next answer. Call it once for each answer. */
bool usb_fault_hits(struct usb_faults *faults, enum usb_fault_kind kind);

#endif
