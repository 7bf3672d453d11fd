/* SPDX-License-Identifier: MIT */
/*
 * Faults of the USB wire: which, after how many answers, how often. They are counted in answers of the probe, never in
 * time, so that a test gets the same ones at any speed.
 */
#ifndef USBPROBE_USB_FAULT_H
#define USBPROBE_USB_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum usb_fault_kind {
    USB_FAULT_STALL,   /* the IN endpoint halts, the answer is lost */
    USB_FAULT_SHORT,   /* half of the answer comes */
    USB_FAULT_TIMEOUT, /* the answer never comes */
    USB_FAULT_WRONG,   /* its first byte, a status or the command's number, is inverted; data is left alone */
    USB_FAULT_TWICE,   /* it comes, and once more behind that */
    USB_FAULT_MERGE,   /* it waits for the next one, and comes in one transfer with it */
    USB_FAULT_UNPLUG,  /* the probe is unplugged before its answer is fetched */
    USB_FAULT_REPLUG,  /* the same, and plugged in again at once */
    USB_FAULT_KINDS
};

#define USB_FAULT_WHY_BYTES 128

struct usb_faults {
    struct {
        uint32_t after; /* answers that pass before the first that is hit */
        uint32_t count; /* answers still to be hit; 0: not armed */
        uint64_t hits;
    } kinds[USB_FAULT_KINDS];
};

const char *usb_fault_name(enum usb_fault_kind kind);

/* Arms the fault that the text KIND[@AFTER][:COUNT] asks for; AFTER is 0 and COUNT 1 if not given. False: nothing has
 * changed, and `why` says what is wrong. */
bool usb_fault_arm(struct usb_faults *faults, const char *text, char why[static USB_FAULT_WHY_BYTES]);

/* An answer is there: does this fault hit it? */
bool usb_fault_hits(struct usb_faults *faults, enum usb_fault_kind kind);

#endif
