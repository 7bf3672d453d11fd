/* SPDX-License-Identifier: MIT */
/* Takes the descriptors of a USB device apart. Knows nothing of probes. */
#include "probe/usb/usb_descriptors.h"

enum { TYPE_DEVICE = 1, TYPE_CONFIGURATION = 2, TYPE_INTERFACE = 4, TYPE_ENDPOINT = 5 };

#define DEVICE_BYTES        18
#define CONFIGURATION_BYTES 9
#define INTERFACE_BYTES     9
#define ENDPOINT_BYTES      7
#define ENDPOINT_IN         0x80u
#define TRANSFER_MASK       0x03u
#define TRANSFER_BULK       0x02u

static uint16_t take_u16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

/*
 * offset 4: class; 8: idVendor, 10: idProduct, 12: bcdDevice, two bytes each; 14, 15, 16: the indexes of the strings
 * for manufacturer, product and serial number.
 */
static void take_device(struct usb_descriptors *descriptors, const uint8_t *bytes)
{
    *descriptors = (struct usb_descriptors){
        .device_class = bytes[4],
        .vendor = take_u16(bytes + 8),
        .product = take_u16(bytes + 10),
        .release = take_u16(bytes + 12),
        .manufacturer_index = bytes[14],
        .product_index = bytes[15],
        .serial_index = bytes[16],
    };
}

/* offset 2: number, 3: alternate setting, 5: class, 6: subclass, 7: protocol. NULL: not one that is kept. */
static struct usb_interface *take_interface(struct usb_descriptors *descriptors, const uint8_t *bytes,
                                            uint8_t configuration)
{
    struct usb_interface *interface = &descriptors->interfaces[descriptors->interface_count];

    if (bytes[3] != 0 || descriptors->interface_count == USB_INTERFACES_MAX)
        return NULL;
    *interface = (struct usb_interface){
        .configuration = configuration,
        .number = bytes[2],
        .class = bytes[5],
        .subclass = bytes[6],
        .protocol = bytes[7],
    };
    descriptors->interface_count++;
    return interface;
}

/* offset 2: address, 3: attributes. */
static bool is_bulk(const uint8_t *endpoint, bool in)
{
    return (endpoint[3] & TRANSFER_MASK) == TRANSFER_BULK && ((endpoint[2] & ENDPOINT_IN) != 0) == in;
}

/* first: the first endpoint of the interface, or the same. */
static void take_endpoint(struct usb_interface *interface, const uint8_t *first, const uint8_t *endpoint)
{
    if (interface->endpoints == 1 && is_bulk(first, false) && is_bulk(endpoint, true)) {
        interface->bulk_out = first[2];
        interface->bulk_in = endpoint[2];
    }
    if (interface->endpoints < UINT8_MAX)
        interface->endpoints++;
}

bool usb_descriptors_parse(struct usb_descriptors *descriptors, const uint8_t *bytes, size_t length)
{
    struct usb_interface *interface = NULL;
    const uint8_t *first = NULL;
    uint8_t configuration = 0;

    if (length < DEVICE_BYTES || bytes[0] < DEVICE_BYTES || bytes[1] != TYPE_DEVICE)
        return false;
    take_device(descriptors, bytes);
    for (size_t at = bytes[0], size; at + 2 <= length; at += size) {
        const uint8_t *here = bytes + at;

        size = here[0];
        if (size < 2 || size > length - at)
            break;
        if (here[1] == TYPE_CONFIGURATION && size >= CONFIGURATION_BYTES)
            configuration = here[5];
        else if (here[1] == TYPE_INTERFACE && size >= INTERFACE_BYTES)
            interface = take_interface(descriptors, here, configuration);
        else if (here[1] == TYPE_ENDPOINT && size >= ENDPOINT_BYTES && interface != NULL) {
            first = interface->endpoints == 0 ? here : first;
            take_endpoint(interface, first, here);
        }
    }
    return true;
}
