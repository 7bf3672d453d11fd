/* SPDX-License-Identifier: MIT */
/* Parses the descriptors of a USB device. Knows nothing of probes. */
#include "probe/usb/usb_descriptors.h"

#include <string.h>

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

/* Takes a device descriptor. Offset 4: class. Two bytes each: offset 8 idVendor, 10 idProduct, 12 bcdDevice. Offsets
 * 14, 15, 16: indexes of the strings for manufacturer, product and serial number. */
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

/* Takes an interface descriptor. Offset 2: number, 3: alternate setting, 5: class, 6: subclass, 7: protocol. NULL: this
 * interface is ignored. */
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

/* Reports whether the endpoint is a bulk endpoint in this direction. Offset 2: address, 3: attributes. */
static bool is_bulk(const uint8_t *endpoint, bool in)
{
    return (endpoint[3] & TRANSFER_MASK) == TRANSFER_BULK && ((endpoint[2] & ENDPOINT_IN) != 0) == in;
}

/* Takes an endpoint. `first` is the first endpoint of the interface; it may be the same as `endpoint`. */
static void take_endpoint(struct usb_interface *interface, const uint8_t *first, const uint8_t *endpoint)
{
    if (interface->endpoints == 1 && is_bulk(first, false) && is_bulk(endpoint, true)) {
        interface->bulk_out = first[2];
        interface->bulk_in = endpoint[2];
    }
    if (interface->any_out == 0 && is_bulk(endpoint, false))
        interface->any_out = endpoint[2];
    if (interface->any_in == 0 && is_bulk(endpoint, true))
        interface->any_in = endpoint[2];
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

/* ---- strings ---- */

#define TYPE_STRING 3
#define REPLACEMENT 0xFFFDu

void usb_string_from_descriptor(struct usb_string *string, const uint8_t *bytes, size_t length)
{
    string->count = 0;
    if (length < 2 || bytes[1] != TYPE_STRING)
        return;
    if (length > bytes[0])
        length = bytes[0];
    for (size_t at = 2; at + 1 < length && string->count < USB_STRING_UNITS_MAX; at += 2)
        string->units[string->count++] = (uint16_t)(bytes[at] | bytes[at + 1] << 8);
}

/* ---- from UTF-8 ---- */

static void add_code(struct usb_string *string, uint32_t code)
{
    if (code > 0xFFFF && string->count + 2 <= USB_STRING_UNITS_MAX) {
        string->units[string->count++] = (uint16_t)(0xD800 + ((code - 0x10000) >> 10));
        string->units[string->count++] = (uint16_t)(0xDC00 + ((code - 0x10000) & 0x3FF));
    } else if (code <= 0xFFFF && string->count < USB_STRING_UNITS_MAX) {
        string->units[string->count++] = (uint16_t)code;
    }
}

static bool is_continuation(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

/* Returns the length of the character at the start of `bytes`. An invalid character has length 1 and the code
 * REPLACEMENT. */
static size_t take_code(const uint8_t *bytes, size_t left, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = bytes[0] < 0x80 ? 1 : bytes[0] < 0xC0 ? 0 : bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4;

    *code = REPLACEMENT;
    if (length == 0 || length > left || bytes[0] >= 0xF8)
        return 1;
    if (length == 1) {
        *code = bytes[0];
        return 1;
    }
    uint32_t value = bytes[0] & (0x7Fu >> length);

    for (size_t i = 1; i < length; i++) {
        if (!is_continuation(bytes[i]))
            return 1;
        value = value << 6 | (bytes[i] & 0x3Fu);
    }
    if (value < least[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 1;
    *code = value;
    return length;
}

void usb_string_from_sysfs(struct usb_string *string, const char *bytes, size_t length)
{
    string->count = 0;
    if (length > 0 && bytes[length - 1] == '\n')
        length--; /* only one line feed: others may belong to a raw serial number */
    for (size_t at = 0; at < length;) {
        uint32_t code;

        at += take_code((const uint8_t *)bytes + at, length - at, &code);
        add_code(string, code);
    }
}

/* ---- to UTF-8 ---- */

static char *put_code(char *at, uint32_t code)
{
    if (code < 0x80) {
        *at++ = (char)code;
        return at;
    }
    if (code < 0x800) {
        *at++ = (char)(0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            *at++ = (char)(0xE0 | code >> 12);
        } else {
            *at++ = (char)(0xF0 | code >> 18);
            *at++ = (char)(0x80 | (code >> 12 & 0x3F));
        }
        *at++ = (char)(0x80 | (code >> 6 & 0x3F));
    }
    *at++ = (char)(0x80 | (code & 0x3F));
    return at;
}

static bool is_high(uint16_t unit)
{
    return (unit & 0xFC00) == 0xD800;
}

static bool is_low(uint16_t unit)
{
    return (unit & 0xFC00) == 0xDC00;
}

const char *usb_string_text(const struct usb_string *string, char text[static USB_STRING_TEXT_BYTES])
{
    size_t count = string->count;
    char *at = text;

    while (count > 0 && string->units[count - 1] == 0)
        count--;
    for (size_t i = 0; i < count; i++) {
        uint16_t unit = string->units[i];
        uint32_t code = unit == 0 || is_high(unit) || is_low(unit) ? REPLACEMENT : unit;

        if (is_high(unit) && i + 1 < count && is_low(string->units[i + 1])) {
            code = 0x10000 + ((unit & 0x3FFu) << 10 | (string->units[i + 1] & 0x3FFu));
            i++;
        }
        at = put_code(at, code);
    }
    *at = '\0';
    return text;
}

bool usb_string_has(const struct usb_string *string, const char *word)
{
    size_t length = strlen(word);

    for (size_t start = 0; start + length <= string->count; start++) {
        size_t same = 0;

        while (same < length && string->units[start + same] == (unsigned char)word[same])
            same++;
        if (same == length)
            return true;
    }
    return false;
}
