/* SPDX-License-Identifier: MIT */
/* Gets the sizes of a HID device's reports from its report descriptor. Pure. Source: USB HID 1.11, 6.2.2. */
#ifndef TXTAP_CAPTURE_PROBE_HID_HID_REPORTS_H
#define TXTAP_CAPTURE_PROBE_HID_HID_REPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HID_REPORT_BYTES_MAX 1024 /* longest packet of an interrupt endpoint */

struct hid_reports {
    size_t in_bytes, out_bytes; /* from the device, and to the device: 1 to HID_REPORT_BYTES_MAX */
};

/* Parses a descriptor of a device that has a single report in each direction, without a number. Returns false for all
 * other descriptors, and for a descriptor that is cut off. */
bool hid_reports_parse(struct hid_reports *reports, const uint8_t *bytes, size_t length);

#endif
