/* SPDX-License-Identifier: MIT */
/* How OpenOCD is started for a probe on USB: from the probe and the chip to a command line. Pure. */
#ifndef TXTAP_CAPTURE_PROBE_USB_USB_OPENOCD_H
#define TXTAP_CAPTURE_PROBE_USB_USB_OPENOCD_H

#include "base/failure.h"
#include "probe/openocd/openocd_arguments.h"
#include "probe/usb/usb_device.h"

/* What the user said. */
struct usb_target {
    const char
        *chip; /* NULL: the generic configuration; else the name of a row in chip.h, or OpenOCD's target/CHIP.cfg */
    const char *name; /* OpenOCD's name of the core to read; NULL: the chip's first */
    unsigned khz;     /* 0: as the configuration says */
};

struct chip_core;

/* *core: the one of the chip that the user wants; NULL: the chip has no row. TXTAP_ERROR_USAGE: it has no such core. */
enum txtap_status usb_target_core(const struct usb_target *target, const struct chip_core **core, struct error *error);

/*
 * TXTAP_ERROR_USAGE: the chip has no such core; ERROR_UNSAFE: this probe cannot reach the core; TXTAP_ERROR_SPACE: too
 * much for a command line. error is one line then.
 */
enum txtap_status usb_openocd_arguments(struct openocd_arguments *arguments, const char *program,
                                        const struct usb_identity *probe, const struct usb_target *target,
                                        struct error *error);

#endif
