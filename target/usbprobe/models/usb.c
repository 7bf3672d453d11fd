/* SPDX-License-Identifier: MIT */
/* Descriptors, and the requests on endpoint 0. */
#include "usb.h"
#include "bits.h"

#include <string.h>

enum { DESCRIPTOR_DEVICE = 1, DESCRIPTOR_CONFIGURATION = 2, DESCRIPTOR_STRING = 3 };
enum { STRING_LANGUAGES, STRING_MANUFACTURER, STRING_NAME, STRING_SERIAL, STRING_INTERFACE };
enum { REQUEST_GET_STATUS = 0, REQUEST_GET_DESCRIPTOR = 6, REQUEST_GET_CONFIGURATION = 8 };

#define DIRECTION_IN        0x80
#define DEVICE_BYTES        18
#define CONFIGURATION_BYTES 9
#define INTERFACE_BYTES     9
#define ENDPOINT_BYTES      7
#define LANGUAGE_ENGLISH    0x0409
#define HID_BYTES           9
#define BULK                2
#define INTERRUPT           3
#define CLASS_HID           0x03
#define CLASS_VENDOR        0xFF

static size_t device_descriptor(const struct usb_identity *identity, uint8_t *bytes)
{
    memcpy(bytes, (const uint8_t[DEVICE_BYTES]){DEVICE_BYTES, DESCRIPTOR_DEVICE}, DEVICE_BYTES);
    put_u16(bytes + 2, 0x0200); /* USB 2.0 */
    bytes[7] = 64;              /* packets of endpoint 0 */
    put_u16(bytes + 8, identity->vendor);
    put_u16(bytes + 10, identity->product);
    put_u16(bytes + 12, 0x0100);
    bytes[14] = STRING_MANUFACTURER, bytes[15] = STRING_NAME;
    bytes[16] = *identity->serial || identity->raw_serial ? STRING_SERIAL : 0;
    bytes[17] = 1; /* configurations */
    return DEVICE_BYTES;
}

static size_t endpoint_descriptor(const struct usb_identity *identity, uint8_t endpoint, uint8_t *bytes)
{
    if (endpoint == 0)
        return 0;
    memcpy(bytes,
           (const uint8_t[ENDPOINT_BYTES]){ENDPOINT_BYTES, 5, endpoint, identity->is_hid ? INTERRUPT : BULK, 0, 0,
                                           identity->is_hid},
           ENDPOINT_BYTES);
    put_u16(bytes + 4, identity->packet_bytes);
    return ENDPOINT_BYTES;
}

size_t usb_report_descriptor(const struct usb_identity *identity, uint8_t bytes[static USB_REPORT_BYTES])
{
    uint8_t low = (uint8_t)identity->packet_bytes, high = (uint8_t)(identity->packet_bytes >> 8);
    /* a vendor's page; bytes from 0 to 255; an input report, and an output report with the same number of bytes */
    const uint8_t descriptor[] = {0x06, 0x00, 0xFF, 0x09, 0x01, 0xA1, 0x01, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75,
                                  0x08, 0x96, low,  high, 0x09, 0x01, 0x81, 0x02, 0x09, 0x01, 0x91, 0x02, 0xC0};
    memcpy(bytes, descriptor, sizeof descriptor);
    return sizeof descriptor;
}

/* The HID descriptor of the interface: USB HID 1.11, 6.2.1. */
static size_t hid_descriptor(const struct usb_identity *identity, uint8_t *bytes)
{
    uint8_t report[USB_REPORT_BYTES];
    if (!identity->is_hid)
        return 0;
    memcpy(bytes, (const uint8_t[HID_BYTES]){HID_BYTES, 0x21, 0x11, 0x01, 0, 1, 0x22}, HID_BYTES);
    put_u16(bytes + 7, (uint16_t)usb_report_descriptor(identity, report));
    return HID_BYTES;
}

static size_t configuration_descriptor(const struct usb_identity *identity, uint8_t *bytes)
{
    uint8_t endpoints = identity->trace_endpoint ? 3 : 2;
    uint8_t *interface = bytes + CONFIGURATION_BYTES, code = identity->is_jlink ? CLASS_VENDOR : 0;
    uint8_t first = identity->is_jlink ? identity->in_endpoint : identity->out_endpoint;
    uint8_t second = identity->is_jlink ? identity->out_endpoint : identity->in_endpoint;
    size_t length = CONFIGURATION_BYTES + INTERFACE_BYTES;
    memcpy(interface,
           (const uint8_t[INTERFACE_BYTES]){INTERFACE_BYTES, 4, 0, 0, endpoints,
                                            identity->is_hid ? CLASS_HID : CLASS_VENDOR, code, code, STRING_INTERFACE},
           INTERFACE_BYTES);
    length += hid_descriptor(identity, bytes + length);
    length += endpoint_descriptor(identity, first, bytes + length);
    length += endpoint_descriptor(identity, second, bytes + length);
    length += endpoint_descriptor(identity, identity->trace_endpoint, bytes + length);
    /* one interface, configuration 1, no name, powered by the bus, 500 mA */
    memcpy(bytes, (const uint8_t[]){CONFIGURATION_BYTES, DESCRIPTOR_CONFIGURATION, 0, 0, 1, 1, 0, 0x80, 250},
           CONFIGURATION_BYTES);
    put_u16(bytes + 2, (uint16_t)length);
    return length;
}

size_t usb_descriptors(const struct usb_identity *identity, uint8_t bytes[static USB_DESCRIPTORS_BYTES])
{
    size_t length = device_descriptor(identity, bytes);
    return length + configuration_descriptor(identity, bytes + length);
}

/* Returns the length of the descriptor; 0: no such string. */
static size_t string_descriptor(const struct usb_identity *identity, unsigned number, uint8_t *bytes)
{
    const char *const texts[] = {"", identity->manufacturer, identity->name, identity->serial,
                                 identity->interface_name};
    size_t length = 2;
    if (number >= sizeof texts / sizeof *texts)
        return 0;
    if (number == STRING_LANGUAGES) {
        put_u16(bytes + 2, LANGUAGE_ENGLISH);
        length += 2;
    }
    if (number == STRING_SERIAL && identity->raw_serial) {
        for (size_t i = 0; i < USB_RAW_SERIAL_BYTES; i++, length += 2)
            put_u16(bytes + length, identity->raw_serial[i]);
    } else {
        for (const char *c = texts[number]; *c && length + 2 <= USB_STRING_BYTES; c++, length += 2)
            put_u16(bytes + length, (uint8_t)*c);
    }
    bytes[0] = (uint8_t)length;
    bytes[1] = DESCRIPTOR_STRING;
    return length;
}

static size_t get_descriptor(const struct usb_identity *identity, unsigned type, unsigned number, uint8_t *bytes)
{
    if (type == DESCRIPTOR_STRING)
        return string_descriptor(identity, number, bytes);
    if (number != 0)
        return 0;
    if (type == DESCRIPTOR_DEVICE)
        return device_descriptor(identity, bytes);
    return type == DESCRIPTOR_CONFIGURATION ? configuration_descriptor(identity, bytes) : 0;
}

enum usb_result usb_control(const struct usb_identity *identity, const uint8_t setup[static USB_SETUP_BYTES],
                            uint8_t *data, size_t room, size_t *length)
{
    uint8_t bytes[USB_STRING_BYTES] = {0};
    size_t there = 0, wanted = get_u16(setup + 6);
    *length = 0;
    /* requests with data, and class or vendor requests, are refused */
    if (!(setup[0] & DIRECTION_IN) || setup[0] & 0x60)
        return USB_STALLED;
    if (setup[1] == REQUEST_GET_DESCRIPTOR)
        there = get_descriptor(identity, setup[3], setup[2], bytes);
    else if (setup[1] == REQUEST_GET_STATUS)
        there = 2;
    else if (setup[1] == REQUEST_GET_CONFIGURATION)
        there = bytes[0] = 1;
    if (there == 0)
        return USB_STALLED;
    *length = there < wanted ? there : wanted;
    if (*length > room)
        *length = room;
    memcpy(data, bytes, *length);
    return USB_DONE;
}
