/* SPDX-License-Identifier: MIT */
/* Identifies a probe by "CMSIS-DAP" in a string, as OpenOCD does, and by its ids. This module does not know how
 * descriptors are read. */
#include "probe/usb/usb_device.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* length of a serial number of raw bytes; other serial numbers have 24 hexadecimal digits */
#define RAW_SERIAL_UNITS 12
#define JLINK_INTERFACE  "interface/jlink.cfg"

static const struct usb_row cmsis_dap = {
    .use = USB_OPENOCD,
    .generation = "CMSIS-DAP",
    .interface = "interface/cmsis-dap.cfg",
    .transport = "swd",
};

/* ---- CMSIS-DAP ---- */

/* Returns true if the first two endpoints are a bulk pair, and the interface is named CMSIS-DAP or is vendor-specific.
 * A bulk pair alone is not enough: a version 1 probe may have a bulk pair for mass storage. */
static bool is_bulk_dap(const struct usb_interface *interface, bool says_dap)
{
    return interface->bulk_out != 0 && (says_dap || interface->class == USB_CLASS_VENDOR);
}

/* Prefers a bulk interface to a HID interface if a probe has both, like OpenOCD. Prefers an interface that is named
 * CMSIS-DAP. */
static enum usb_dap find_dap(const struct usb_facts *facts, size_t *found)
{
    const struct usb_descriptors *descriptors = &facts->descriptors;
    enum usb_dap dap = USB_DAP_UNKNOWN;
    bool found_says = false;

    for (size_t i = 0; i < descriptors->interface_count; i++) {
        const struct usb_interface *interface = &descriptors->interfaces[i];
        bool says = facts->interface_is_dap[i];
        enum usb_dap here = is_bulk_dap(interface, says)        ? USB_DAP_BULK
                            : interface->class == USB_CLASS_HID ? USB_DAP_HID
                                                                : USB_DAP_UNKNOWN;
        bool better = dap == USB_DAP_UNKNOWN || (here == USB_DAP_BULK && dap == USB_DAP_HID) ||
                      (here == dap && says && !found_says);

        if (here == USB_DAP_UNKNOWN || !better)
            continue;
        dap = here;
        found_says = says;
        *found = i;
    }
    return dap;
}

static bool says_dap(const struct usb_facts *facts)
{
    if (usb_string_has(&facts->product, USB_DAP_WORD))
        return true;
    for (size_t i = 0; i < facts->descriptors.interface_count; i++)
        if (facts->interface_is_dap[i])
            return true;
    return false;
}

static const char *dap_generation(enum usb_dap dap)
{
    return dap == USB_DAP_BULK ? "CMSIS-DAP v2" : dap == USB_DAP_HID ? "CMSIS-DAP v1" : "CMSIS-DAP";
}

/* ---- serial and firmware ---- */

static bool is_hexadecimal(const struct usb_string *string)
{
    for (size_t i = 0; i < string->count; i++)
        if (string->units[i] > 'f' || !isxdigit((int)string->units[i]))
            return false;
    return true;
}

/* Returns true if the serial number has raw bytes. A serial number with fewer than 12 characters is text if all are
 * digits. Otherwise it has raw bytes, and the other raw bytes are missing. */
static bool is_raw_serial(const struct usb_string *serial)
{
    return serial->count == RAW_SERIAL_UNITS ||
           (serial->count > 0 && serial->count < RAW_SERIAL_UNITS && !is_hexadecimal(serial));
}

/*
 * Sets the serial number. Many ST-Link V2 have 12 raw bytes as their serial number, one in each character, instead of
 * 24 hexadecimal digits. OpenOCD's name for such a serial number is the 24 digits, in capitals. Source: OpenOCD 0.12.0,
 * stlink_usb_get_alternate_serial().
 */
static void set_serial(struct usb_identity *identity, const struct usb_string *serial, bool has_one)
{
    bool may_be_raw = identity->quirks & USB_QUIRK_RAW_SERIAL;

    identity->serial_is_raw = may_be_raw && is_raw_serial(serial);
    identity->serial_is_cut = may_be_raw && has_one && serial->count == 0; /* the first raw byte is a 0 */
    if (!identity->serial_is_raw) {
        usb_string_text(serial, identity->serial);
        return;
    }
    identity->serial_is_cut = serial->count < RAW_SERIAL_UNITS;
    for (size_t i = 0; i < serial->count; i++)
        snprintf(identity->serial + 2 * i, 3, "%02X", serial->units[i] & 0xFFu);
}

static void set_firmware(struct usb_identity *identity)
{
    unsigned release = identity->release;

    if (identity->quirks & USB_QUIRK_RELEASE)
        snprintf(identity->firmware, sizeof identity->firmware, "%x.%x.%x", release >> 8, release >> 4 & 0xF,
                 release & 0xF);
}

/* ---- a whole device ---- */

static void take_row(struct usb_identity *identity, const struct usb_row *row)
{
    identity->is_probe = true;
    identity->use = row->use;
    identity->name = row->name;
    identity->generation = row->generation;
    identity->interface = row->interface;
    identity->transport = row->transport;
    identity->more = row->more;
    identity->quirks = row->quirks;
}

static bool is_dap_row(const struct usb_row *row)
{
    return row->interface != NULL && strcmp(row->interface, cmsis_dap.interface) == 0;
}

/* Identifies a probe in CMSIS-DAP mode. Its strings identify it, even if its ids mean something else in other modes.
 */
static void identify_dap(const struct usb_facts *facts, const struct usb_row *row, struct usb_identity *identity)
{
    take_row(identity, row != NULL && is_dap_row(row) ? row : &cmsis_dap);
    identity->dap = find_dap(facts, &identity->dap_interface);
    identity->generation = dap_generation(identity->dap);
    if (identity->dap == USB_DAP_BULK) {
        const struct usb_interface *interface = &facts->descriptors.interfaces[identity->dap_interface];

        identity->dap_number = interface->number;
        identity->dap_out = interface->bulk_out;
        identity->dap_in = interface->bulk_in;
    }
    if (usb_string_has(&facts->product, USB_DAP_WORD)) /* the rule's condition is ATTRS{product}=="*CMSIS-DAP*" */
        identity->quirks |= USB_QUIRK_RULE;
}

/* Finds the interface of a J-Link: the first that is vendor-specific and has a bulk pair, as in libjaylink. */
static void identify_jlink(const struct usb_facts *facts, struct usb_identity *identity)
{
    const struct usb_descriptors *descriptors = &facts->descriptors;

    for (size_t i = 0; i < descriptors->interface_count && !identity->is_jlink; i++) {
        const struct usb_interface *interface = &descriptors->interfaces[i];

        if (interface->class != USB_CLASS_VENDOR || interface->any_out == 0 || interface->any_in == 0)
            continue;
        identity->is_jlink = true;
        identity->dap_number = interface->number;
        identity->dap_out = interface->any_out;
        identity->dap_in = interface->any_in;
    }
}

void usb_device_identify(const struct usb_facts *facts, struct usb_identity *identity)
{
    const struct usb_descriptors *descriptors = &facts->descriptors;
    const struct usb_row *row = usb_table_find(descriptors->vendor, descriptors->product);

    memset(identity, 0, sizeof *identity);
    identity->vendor = descriptors->vendor;
    identity->product = descriptors->product;
    identity->release = descriptors->release;
    if (descriptors->device_class == USB_CLASS_HUB)
        return;
    if (says_dap(facts) || (row != NULL && is_dap_row(row)))
        identify_dap(facts, row, identity);
    else if (row != NULL)
        take_row(identity, row);
    if (identity->interface != NULL && strcmp(identity->interface, JLINK_INTERFACE) == 0)
        identify_jlink(facts, identity);
    usb_string_text(&facts->manufacturer, identity->manufacturer_text);
    usb_string_text(&facts->product, identity->product_text);
    set_serial(identity, &facts->serial, descriptors->serial_index != 0);
    set_firmware(identity);
}

bool usb_is_stlink(const struct usb_identity *identity)
{
    return identity->use == USB_OPENOCD && identity->quirks & USB_QUIRK_DAPDIRECT;
}

bool usb_is_direct(const struct usb_identity *identity)
{
    bool is_bulk = identity->dap == USB_DAP_BULK && identity->dap_out != 0 && identity->dap_in != 0;
    bool is_dap = identity->use == USB_OPENOCD && (is_bulk || identity->dap == USB_DAP_HID);

    return is_dap || identity->is_jlink || usb_is_stlink(identity);
}

const char *usb_device_name(const struct usb_identity *identity)
{
    if (identity->name != NULL)
        return identity->name;
    return identity->product_text[0] != '\0' ? identity->product_text : "CMSIS-DAP probe";
}
