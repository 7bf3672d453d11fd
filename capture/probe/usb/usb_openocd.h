/* SPDX-License-Identifier: MIT */
/* Makes OpenOCD's command line for a probe on USB, from the probe and the chip. Pure. */
#ifndef TXTAP_CAPTURE_PROBE_USB_USB_OPENOCD_H
#define TXTAP_CAPTURE_PROBE_USB_USB_OPENOCD_H

#include "base/failure.h"
#include "probe/openocd/openocd_arguments.h"
#include "probe/usb/usb_device.h"

/* The user's choices. */
struct usb_target {
    const char
        *chip; /* NULL: the generic configuration; else the name of a row in chip.h, or of OpenOCD's target/CHIP.cfg */
    const char *name; /* OpenOCD's name of the core to read; NULL: the chip's first core */
    unsigned khz;     /* 0: the configuration's clock */
    const char *port; /* "1-4.2": OpenOCD must take the probe at this port; "": the port is not known; NULL: the serial
                         number is enough */
};

/* Makes the arguments. On failure error is one line. TXTAP_ERROR_USAGE: the chip has no such core. ERROR_UNSAFE: this
 * probe cannot reach the core, or OpenOCD could take another probe. TXTAP_ERROR_SPACE: the command line is too long. */
enum txtap_status usb_openocd_arguments(struct openocd_arguments *arguments, const char *program,
                                        const struct usb_identity *probe, const struct usb_target *target,
                                        struct error *error);

#endif
