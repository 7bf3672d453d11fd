/* SPDX-License-Identifier: MIT */
/* Replaces usb_bus.c, dap_usb.c and stlink_usb.c in a build without libusb. */
#include "base/runtime.h"
#include "probe/usb/dap_usb.h"
#include "probe/usb/stlink_usb.h"
#include "probe/usb/usb_bus.h"

enum txtap_status usb_list_read(struct usb_list *list, struct error *error)
{
    *list = (struct usb_list){.count = 0};
    return failure(error, TXTAP_ERROR_SYSTEM,
                   "this txtap was built without libusb and cannot access USB\n"
                   "install libusb-1.0-0-dev and build it again");
}

void usb_list_free(struct usb_list *list)
{
    (void)list;
}

struct usb_watch *usb_watch_open(void)
{
    return NULL;
}

void usb_watch_wait(struct usb_watch *watch, uint64_t us)
{
    (void)watch;
    sleep_us(us);
}

void usb_watch_close(struct usb_watch *watch)
{
    (void)watch;
}

enum txtap_status dap_usb_open(struct dap_pipe *pipe, const struct usb_probe *probe, struct error *error)
{
    (void)pipe;
    (void)probe;
    return failure(error, TXTAP_ERROR_SYSTEM, "txtap was built without libusb");
}

enum txtap_status stlink_usb_open(struct stlink_pipe *pipe, const struct usb_probe *probe, struct error *error)
{
    (void)pipe;
    (void)probe;
    return failure(error, TXTAP_ERROR_SYSTEM, "txtap was built without libusb");
}
