/* SPDX-License-Identifier: MIT */
/* Lists the devices on USB with libusb, and waits for changes. What a device is, usb_device.c knows. */
#include "probe/usb/usb_bus.h"

#include <libusb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "probe/usb/usb_sysfs.h"

#define PORTS_MAX           7 /* hubs behind each other, and the device: USB 3.2, 4.1.1 */
#define STRING_BYTES        255
#define STRING_TIMEOUT_MS   500
#define LANGUAGES_BYTES_MIN 4
#define WATCH_US_MAX        UINT64_C(3600000000)

/* ---- strings that sysfs does not have whole ---- */

static int read_descriptor(libusb_device_handle *handle, uint8_t index, uint16_t language, uint8_t *bytes)
{
    return libusb_control_transfer(handle, LIBUSB_ENDPOINT_IN, LIBUSB_REQUEST_GET_DESCRIPTOR,
                                   (uint16_t)(LIBUSB_DT_STRING << 8 | index), language, bytes, STRING_BYTES,
                                   STRING_TIMEOUT_MS);
}

/* Sysfs ends a string at a 0, which a raw serial may contain. */
static void read_serial(libusb_device *device, struct usb_facts *facts)
{
    uint8_t bytes[STRING_BYTES];
    libusb_device_handle *handle;
    int length;

    if (facts->descriptors.serial_index == 0 || libusb_open(device, &handle) != LIBUSB_SUCCESS)
        return;
    length = read_descriptor(handle, 0, 0, bytes);
    if (length >= LANGUAGES_BYTES_MIN)
        length = read_descriptor(handle, facts->descriptors.serial_index, (uint16_t)(bytes[2] | bytes[3] << 8), bytes);
    if (length > 0)
        usb_string_from_descriptor(&facts->serial, bytes, (size_t)length);
    libusb_close(handle);
}

/* ---- one device ---- */

/* "usb1" is a root hub; the others are named after the ports on the way to them. */
static void name_port(libusb_device *device, char port[static USB_PORT_BYTES])
{
    uint8_t numbers[PORTS_MAX];
    int count = libusb_get_port_numbers(device, numbers, PORTS_MAX);
    size_t used = (size_t)snprintf(port, USB_PORT_BYTES, count > 0 ? "%u" : "usb%u", libusb_get_bus_number(device));

    for (int i = 0; i < count && used < USB_PORT_BYTES; i++)
        used += (size_t)snprintf(port + used, USB_PORT_BYTES - used, "%c%u", i == 0 ? '-' : '.', numbers[i]);
}

static const char *speed_of(libusb_device *device)
{
    static const char *const names[] = {
        [LIBUSB_SPEED_UNKNOWN] = "",  [LIBUSB_SPEED_LOW] = "low",     [LIBUSB_SPEED_FULL] = "full",
        [LIBUSB_SPEED_HIGH] = "high", [LIBUSB_SPEED_SUPER] = "super", [LIBUSB_SPEED_SUPER_PLUS] = "super",
    };
    int speed = libusb_get_device_speed(device);

    return speed >= 0 && (size_t)speed < sizeof names / sizeof *names ? names[speed] : "";
}

/* What libusb has without sysfs. */
static void take_ids(libusb_device *device, struct usb_descriptors *descriptors)
{
    struct libusb_device_descriptor from;

    if (libusb_get_device_descriptor(device, &from) != LIBUSB_SUCCESS)
        return;
    *descriptors = (struct usb_descriptors){
        .vendor = from.idVendor,
        .product = from.idProduct,
        .release = from.bcdDevice,
        .device_class = from.bDeviceClass,
        .manufacturer_index = from.iManufacturer,
        .product_index = from.iProduct,
        .serial_index = from.iSerialNumber,
    };
}

/* Without sysfs only the ids are known. The device there may be another one, plugged in since. */
static void read_facts(libusb_device *device, struct usb_facts *facts, struct usb_probe *probe)
{
    memset(facts, 0, sizeof *facts);
    memset(probe, 0, sizeof *probe);
    probe->bus = libusb_get_bus_number(device);
    probe->address = libusb_get_device_address(device);
    take_ids(device, &facts->descriptors);
    name_port(device, probe->port);
    if (usb_sysfs_has(probe->port, probe->bus, probe->address))
        usb_sysfs_read(probe->port, facts);
    else
        probe->port[0] = '\0';
    usb_device_identify(facts, &probe->identity);
}

/* Fills in all but the holder. *may_be_open: a process can use the probe without claiming it. */
static void read_probe(libusb_device *device, struct usb_facts *facts, struct usb_probe *probe, bool *may_be_open)
{
    const struct usb_interface *interfaces = facts->descriptors.interfaces;
    const struct usb_identity *identity = &probe->identity;

    read_facts(device, facts, probe);
    if (!identity->is_probe)
        return;
    probe->speed = speed_of(device);
    snprintf(probe->node, sizeof probe->node, "/dev/bus/usb/%03u/%03u", probe->bus, probe->address);
    /* OpenOCD uses these through hidraw, which needs no claim. */
    *may_be_open = identity->dap == USB_DAP_HID &&
                   usb_sysfs_hidraw(probe->port, &interfaces[identity->dap_interface], probe->node);
    usb_node_try(probe);
    if (probe->state == USB_READY && usb_sysfs_is_claimed(probe->port, &facts->descriptors))
        probe->state = USB_BUSY;
    if (probe->state == USB_READY && identity->serial_is_cut) {
        read_serial(device, facts);
        usb_device_identify(facts, &probe->identity);
    }
}

/* ---- the list ---- */

static int compare(const void *one, const void *other)
{
    const struct usb_probe *a = one, *b = other;

    if (a->bus != b->bus)
        return a->bus < b->bus ? -1 : 1;
    return a->address < b->address ? -1 : a->address > b->address;
}

static enum txtap_status take_devices(libusb_device **devices, size_t count, struct usb_list *list, struct error *error)
{
    struct usb_facts *facts = malloc(sizeof *facts);
    bool *may_be_open = calloc(count + 1, sizeof *may_be_open);

    list->probes = calloc(count + 1, sizeof *list->probes);
    if (facts == NULL || may_be_open == NULL || list->probes == NULL) {
        free(facts);
        free(may_be_open);
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        struct usb_probe *probe = &list->probes[list->count];

        read_probe(devices[i], facts, probe, &may_be_open[list->count]);
        list->hubs += facts->descriptors.device_class == USB_CLASS_HUB;
        list->devices += facts->descriptors.device_class != USB_CLASS_HUB;
        list->count += probe->identity.is_probe;
    }
    usb_node_holders(list->probes, may_be_open, list->count);
    qsort(list->probes, list->count, sizeof *list->probes, compare);
    free(facts);
    free(may_be_open);
    return TXTAP_OK;
}

/* A new context each time: where udev is silent, libusb scans the bus only when it makes a context. */
enum txtap_status usb_list_read(struct usb_list *list, struct error *error)
{
    libusb_context *context;
    libusb_device **devices;
    enum txtap_status status;
    int result = libusb_init(&context);
    ssize_t count;

    *list = (struct usb_list){.count = 0};
    usb_system_read(&list->system);
    if (result != LIBUSB_SUCCESS)
        return failure(error, TXTAP_ERROR_SYSTEM, "libusb cannot access USB here: %s", libusb_strerror(result));
    count = libusb_get_device_list(context, &devices);
    if (count < 0) {
        status = failure(error, TXTAP_ERROR_SYSTEM, "libusb lists no devices: %s", libusb_strerror((int)count));
    } else {
        status = take_devices(devices, (size_t)count, list, error);
        libusb_free_device_list(devices, 1);
    }
    libusb_exit(context);
    if (status != TXTAP_OK)
        usb_list_free(list);
    return status;
}

void usb_list_free(struct usb_list *list)
{
    free(list->probes);
    *list = (struct usb_list){.count = 0};
}

/* ---- changes ---- */

struct usb_watch {
    libusb_context *context;
    int changed; /* as libusb wants it */
};

static int on_change(libusb_context *context, libusb_device *device, libusb_hotplug_event event, void *self)
{
    struct usb_watch *watch = self;

    (void)context;
    (void)device;
    (void)event;
    watch->changed = 1;
    return 0; /* call again */
}

struct usb_watch *usb_watch_open(void)
{
    struct usb_watch *watch = calloc(1, sizeof *watch);

    if (watch == NULL || libusb_init(&watch->context) != LIBUSB_SUCCESS) {
        free(watch);
        return NULL;
    }
    if (!libusb_has_capability(LIBUSB_CAP_HAS_HOTPLUG) ||
        libusb_hotplug_register_callback(watch->context,
                                         LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED | LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT, 0,
                                         LIBUSB_HOTPLUG_MATCH_ANY, LIBUSB_HOTPLUG_MATCH_ANY, LIBUSB_HOTPLUG_MATCH_ANY,
                                         on_change, watch, NULL) != LIBUSB_SUCCESS) {
        usb_watch_close(watch);
        return NULL;
    }
    return watch;
}

/* A stop signal interrupts libusb; if it comes just before the wait, its heartbeat does: base/runtime.h. */
void usb_watch_wait(struct usb_watch *watch, uint64_t us)
{
    uint64_t end = now_us() + (us < WATCH_US_MAX ? us : WATCH_US_MAX), now;

    if (watch == NULL) {
        sleep_us(us);
        return;
    }
    while (!watch->changed && !stop_requested() && (now = now_us()) < end) {
        struct timeval left = {(time_t)((end - now) / 1000000), (suseconds_t)((end - now) % 1000000)};
        int result = libusb_handle_events_timeout_completed(watch->context, &left, &watch->changed);

        if (result != LIBUSB_SUCCESS && result != LIBUSB_ERROR_INTERRUPTED)
            sleep_us(end - now);
    }
    watch->changed = 0;
}

void usb_watch_close(struct usb_watch *watch)
{
    if (watch == NULL)
        return;
    libusb_exit(watch->context);
    free(watch);
}
