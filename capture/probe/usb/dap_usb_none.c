/* SPDX-License-Identifier: MIT */
/* Without libusb no probe is driven. */
#include "probe/usb/dap_usb.h"

enum txtap_status dap_usb_open(struct dap_pipe *pipe, const struct usb_probe *probe, struct error *error)
{
    (void)pipe;
    (void)probe;
    return failure(error, TXTAP_ERROR_SYSTEM, "txtap was built without libusb");
}
