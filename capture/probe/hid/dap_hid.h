/* SPDX-License-Identifier: MIT */
/* The reports of a CMSIS-DAP v1 probe, through Linux's /dev/hidrawN. */
#ifndef TXTAP_CAPTURE_PROBE_HID_DAP_HID_H
#define TXTAP_CAPTURE_PROBE_HID_DAP_HID_H

#include <stdint.h>

#include "base/failure.h"
#include "probe/dap/dap_pipe.h"

struct dap_hid_settings {
    const char *name;         /* of the probe, for messages */
    const char *node;         /* /dev/hidrawN; any other file: the probe has no such node */
    uint16_t vendor, product; /* ids that the device must have, because Linux uses the names of nodes again */
};

/*
 * Opens the probe. The caller closes the pipe with its close(). On failure nothing stays open, and error is one line.
 * ERROR_TARGET: another txtap uses the probe, access is denied, or it has no node. ERROR_CLOSED: it was unplugged.
 * ERROR_PROTOCOL: a CMSIS-DAP probe has other reports. TXTAP_ERROR_SYSTEM: other failures.
 */
enum txtap_status dap_hid_open(struct dap_pipe *pipe, const struct dap_hid_settings *settings, struct error *error);

#endif
