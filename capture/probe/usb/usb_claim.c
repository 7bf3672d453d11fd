/* SPDX-License-Identifier: MIT */
/* A probe's handle and its interface. */
#include "probe/usb/usb_claim.h"

/* Opens the device at the probe's address. It may have been unplugged since it was listed. */
static int open_device(struct usb_claim *claim, const struct usb_probe *probe)
{
    libusb_device **devices;
    ssize_t count = libusb_get_device_list(claim->context, &devices);
    int result = count < 0 ? (int)count : LIBUSB_ERROR_NO_DEVICE;

    for (ssize_t i = 0; i < count && claim->handle == NULL; i++)
        if (libusb_get_bus_number(devices[i]) == probe->bus && libusb_get_device_address(devices[i]) == probe->address)
            result = libusb_open(devices[i], &claim->handle);
    if (count >= 0)
        libusb_free_device_list(devices, 1);
    return result;
}

static enum txtap_status cannot(int result, const char *name, struct error *error)
{
    if (result == LIBUSB_ERROR_BUSY)
        return failure(error, ERROR_TARGET, "%.60s is in use by another program\nend that program", name);
    if (result == LIBUSB_ERROR_ACCESS)
        return failure(error, ERROR_TARGET, "you may not open %.60s\nsee 'txtap probes'", name);
    if (result == LIBUSB_ERROR_NO_DEVICE || result == LIBUSB_ERROR_NOT_FOUND)
        return failure(error, ERROR_CLOSED, "%.60s was unplugged\nplug it in again", name);
    return failure(error, TXTAP_ERROR_SYSTEM, "%.60s cannot be opened: %s\nread through OpenOCD instead: --openocd",
                   name, libusb_strerror(result));
}

enum txtap_status usb_claim_open(struct usb_claim *claim, const struct usb_probe *probe, uint8_t interface,
                                 struct error *error)
{
    int result;

    *claim = (struct usb_claim){.interface = -1};
    result = libusb_init(&claim->context);
    if (result == LIBUSB_SUCCESS)
        result = open_device(claim, probe);
    if (result == LIBUSB_SUCCESS)
        result = libusb_claim_interface(claim->handle, interface);
    if (result == LIBUSB_SUCCESS) {
        claim->interface = interface;
        return TXTAP_OK;
    }
    usb_claim_close(claim);
    return cannot(result, usb_device_name(&probe->identity), error);
}

void usb_claim_wait(struct usb_claim *claim, uint64_t us)
{
    struct timeval time = {(time_t)(us / 1000000), (suseconds_t)(us % 1000000)};

    (void)libusb_handle_events_timeout_completed(claim->context, &time, NULL);
}

void usb_claim_close(struct usb_claim *claim)
{
    if (claim->handle != NULL && claim->interface >= 0)
        (void)libusb_release_interface(claim->handle, claim->interface);
    if (claim->handle != NULL)
        libusb_close(claim->handle);
    if (claim->context != NULL)
        libusb_exit(claim->context);
    *claim = (struct usb_claim){.interface = -1};
}
