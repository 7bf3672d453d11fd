/* SPDX-License-Identifier: MIT */
/* Identification of USB devices: each probe of the table, CMSIS-DAP by its strings, and serial numbers. */
#include "probe/usb/usb_device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct usb_facts facts;
static struct usb_identity identity;

static void set(struct usb_string *string, const char *text)
{
    usb_string_from_sysfs(string, text, strlen(text));
}

static void device(unsigned vendor, unsigned product)
{
    memset(&facts, 0, sizeof facts);
    facts.descriptors.vendor = (uint16_t)vendor;
    facts.descriptors.product = (uint16_t)product;
}

static void interface(uint8_t class, uint8_t out, uint8_t in, bool is_dap)
{
    size_t index = facts.descriptors.interface_count++;

    facts.descriptors.interfaces[index] =
        (struct usb_interface){.number = (uint8_t)index, .class = class, .bulk_out = out, .bulk_in = in};
    facts.interface_is_dap[index] = is_dap;
}

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

/* ---- the table ---- */

enum column { VENDOR, PRODUCT, NAME, GENERATION, USE, INTERFACE, TRANSPORT, COMMAND, RULE, COLUMNS };

/* Splits a line of the table. Only names with a comma have quotes. */
static void split(char *line, char *cells[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++) {
        char end = *line == '"' ? '"' : ',';

        line += end == '"';
        cells[i] = line;
        line += strcspn(line, end == '"' ? "\"\n" : ",\n");
        cr_assert(*line != '\0');
        *line++ = '\0';
        line += end == '"';
    }
}

static void check_row(char *const cells[COLUMNS])
{
    static const char *const uses[] = {
        [USB_OPENOCD] = "openocd", [USB_CHOOSE] = "choose",   [USB_PERHAPS] = "perhaps",
        [USB_TOO_NEW] = "too_new", [USB_UNKNOWN] = "unknown", [USB_UNUSABLE] = "unusable",
    };
    const char *name = cells[NAME];

    device((unsigned)strtoul(cells[VENDOR], NULL, 16), (unsigned)strtoul(cells[PRODUCT], NULL, 16));
    usb_device_identify(&facts, &identity);
    cr_assert(identity.is_probe, "%s", name);
    cr_assert_str_eq(usb_device_name(&identity), name);
    cr_assert_str_eq(uses[identity.use], cells[USE], "%s", name);
    cr_assert_str_eq(or_empty(identity.interface), cells[INTERFACE], "%s", name);
    cr_assert_str_eq(or_empty(identity.transport), cells[TRANSPORT], "%s", name);
    cr_assert_str_eq(identity.use == USB_OPENOCD ? or_empty(identity.more) : "", cells[COMMAND], "%s", name);
    cr_assert_eq((identity.quirks & USB_QUIRK_RULE) != 0, strcmp(cells[RULE], "yes") == 0, "%s", name);
    if (identity.dap == USB_DAP_NONE)
        cr_assert_str_eq(identity.generation, cells[GENERATION], "%s", name);
}

Test(usb_device, each_known_probe_has_its_configuration)
{
    FILE *file = fopen(TXTAP_TEST_DATA "/usb_probes.csv", "r");
    char line[512], *cells[COLUMNS];
    size_t rows = 0;

    cr_assert_not_null(file);
    cr_assert_not_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file) != NULL) {
        split(line, cells);
        check_row(cells);
        rows++;
    }
    fclose(file);
    cr_assert_not_null(usb_table_row(rows - 1));
    cr_assert_null(usb_table_row(rows), "every row of the table is checked");
}

Test(usb_device, rows_of_the_table_are_complete_and_ids_are_unique)
{
    const struct usb_row *row;

    for (size_t i = 0; (row = usb_table_row(i)) != NULL; i++) {
        bool openocd = row->use == USB_OPENOCD;

        cr_assert_eq(row, usb_table_find(row->vendor, row->product), "%s is there twice", row->name);
        cr_assert_eq(row->interface != NULL, openocd, "%s", row->name);
        cr_assert_eq(row->transport != NULL, openocd, "%s", row->name);
        cr_assert(strlen(row->source) > 0 && strlen(row->generation) > 0);
        if (row->use == USB_CHOOSE || row->use == USB_PERHAPS || row->use == USB_UNUSABLE)
            cr_assert_not_null(row->more, "%s: what to do instead", row->name);
    }
}

Test(usb_device, other_devices_are_not_probes)
{
    device(0x046D, 0xC31C);
    set(&facts.product, "USB Keyboard\n");
    interface(3, 0, 0, false);
    usb_device_identify(&facts, &identity);
    cr_assert_not(identity.is_probe);
    cr_assert_null(usb_table_find(0x0483, 0xDF11), "a microcontroller's own boot loader");
}

Test(usb_device, a_hub_is_not_a_probe_whatever_its_strings)
{
    device(0x0483, 0x374B);
    facts.descriptors.device_class = USB_CLASS_HUB;
    set(&facts.product, "CMSIS-DAP\n");
    usb_device_identify(&facts, &identity);
    cr_assert_not(identity.is_probe);
}

/* ---- CMSIS-DAP ---- */

Test(usb_device, cmsis_dap_v2_is_an_interface_with_that_name_and_a_bulk_pair)
{
    device(0x1234, 0x5678);
    interface(3, 0, 0, true);
    interface(USB_CLASS_VENDOR, 0x05, 0x85, false);
    interface(0, 0x01, 0x81, true); /* class 0, as KitProg3 has */
    usb_device_identify(&facts, &identity);
    cr_assert(identity.is_probe);
    cr_assert_eq(identity.dap, USB_DAP_BULK);
    cr_assert_eq(identity.dap_interface, 2);
    cr_assert_str_eq(identity.generation, "CMSIS-DAP v2");
    cr_assert_str_eq(identity.interface, "interface/cmsis-dap.cfg");
    cr_assert_str_eq(identity.transport, "swd");
    cr_assert_str_eq(usb_device_name(&identity), "CMSIS-DAP probe");
    cr_assert_not(identity.quirks & USB_QUIRK_RULE, "the udev rule goes by the product's string");
}

Test(usb_device, cmsis_dap_v1_is_an_hid_interface)
{
    device(0x1234, 0x5678);
    set(&facts.product, "My CMSIS-DAP\n");
    interface(8, 0x02, 0x82, false);
    interface(3, 0, 0, false);
    interface(3, 0, 0, true);
    usb_device_identify(&facts, &identity);
    cr_assert_eq(identity.dap, USB_DAP_HID, "mass storage has a bulk pair too");
    cr_assert_eq(identity.dap_interface, 2, "the one that says so");
    cr_assert(usb_is_direct(&identity));
    cr_assert_str_eq(identity.generation, "CMSIS-DAP v1");
    cr_assert_str_eq(usb_device_name(&identity), "My CMSIS-DAP");
    cr_assert(identity.quirks & USB_QUIRK_RULE);
}

Test(usb_device, without_a_usable_interface_its_version_is_not_known)
{
    device(0x0D28, 0x0204);
    usb_device_identify(&facts, &identity);
    cr_assert_eq(identity.dap, USB_DAP_UNKNOWN);
    cr_assert_str_eq(identity.generation, "CMSIS-DAP");
    cr_assert_str_eq(usb_device_name(&identity), "DAPLink");
    cr_assert_not(usb_is_direct(&identity));
}

/* J-Links and other probes have a CMSIS-DAP mode, in which their ids are the same as for their own protocol. */
Test(usb_device, strings_override_ids)
{
    device(0x1366, 0x0105);
    set(&facts.product, "J-Link CMSIS-DAP\n");
    interface(USB_CLASS_VENDOR, 0x01, 0x81, false);
    usb_device_identify(&facts, &identity);
    cr_assert_str_eq(identity.interface, "interface/cmsis-dap.cfg");
    cr_assert_str_eq(usb_device_name(&identity), "J-Link CMSIS-DAP");
}

static void check_jlink(unsigned expected)
{
    usb_device_identify(&facts, &identity);
    cr_assert_eq(identity.is_jlink, expected != 0);
    cr_assert_eq(usb_is_direct(&identity), expected != 0);
    cr_assert_eq(identity.dap_number * 0x10000u + identity.dap_out * 0x100u + identity.dap_in, expected);
}

/* Some J-Links have their endpoint IN first, and others have it last. */
Test(usb_device, the_interface_of_a_jlink_is_found)
{
    struct usb_interface *last;

    device(0x1366, 0x0101);
    check_jlink(0);
    interface(0x02, 0x03, 0x84, false); /* a serial port */
    check_jlink(0);
    interface(USB_CLASS_VENDOR, 0, 0, false);
    last = &facts.descriptors.interfaces[facts.descriptors.interface_count - 1];
    last->number = 2;
    check_jlink(0);
    last->any_in = 0x81;
    check_jlink(0);
    last->any_out = 0x02;
    check_jlink(0x020281);
    cr_assert_str_eq(identity.interface, "interface/jlink.cfg");
    device(0x1366, 0x0105);
    set(&facts.product, "J-Link CMSIS-DAP\n");
    interface(USB_CLASS_VENDOR, 0x01, 0x81, false);
    usb_device_identify(&facts, &identity);
    cr_assert_not(identity.is_jlink);
}

/* ---- serial and firmware ---- */

static void serial(const char *text)
{
    set(&facts.serial, text);
    usb_device_identify(&facts, &identity);
}

Test(usb_device, a_raw_serial_is_shown_as_openocd_expects_it)
{
    device(0x0483, 0x3748);
    serial("W\xc3\xbfr\x06gRWTg\x14\x19\x07\n");
    cr_assert_str_eq(identity.serial, "57FF7206675257546714"
                                      "1907");
    cr_assert(identity.serial_is_raw && !identity.serial_is_cut);
    serial("123456789012\n");
    cr_assert(identity.serial_is_raw, "12 characters are raw bytes even if they are digits");
    serial("W\xc3\xbfr\n");
    cr_assert_str_eq(identity.serial, "57FF72");
    cr_assert(identity.serial_is_raw && identity.serial_is_cut, "sysfs ends a string at a 0");
    serial("066DFF343339415043184719\n");
    cr_assert_str_eq(identity.serial, "066DFF343339415043184719");
    cr_assert_not(identity.serial_is_raw || identity.serial_is_cut);
    serial("\n");
    cr_assert_str_eq(identity.serial, "");
    cr_assert_not(identity.serial_is_raw || identity.serial_is_cut);
    facts.descriptors.serial_index = 3;
    serial("");
    cr_assert(identity.serial_is_cut, "it has one, which begins with a 0");
    device(0x1366, 0x0101);
    facts.descriptors.serial_index = 3;
    serial("");
    cr_assert_not(identity.serial_is_cut, "other probes have text");
}

Test(usb_device, a_raw_serial_with_a_zero_is_whole_in_its_descriptor)
{
    static const uint8_t bytes[] = {26, 3, 'W', 0, 0xFF, 0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 9, 0};

    device(0x0483, 0x3748);
    usb_string_from_descriptor(&facts.serial, bytes, sizeof bytes);
    usb_device_identify(&facts, &identity);
    cr_assert_str_eq(identity.serial, "57FF00010203040506070809");
    cr_assert_not(identity.serial_is_cut);
}

Test(usb_device, other_probes_have_serials_of_any_length)
{
    device(0x1366, 0x0105);
    serial("000051014439\n");
    cr_assert_str_eq(identity.serial, "000051014439");
    cr_assert_not(identity.serial_is_raw);
}

Test(usb_device, firmware_is_known_only_from_descriptors_that_have_it)
{
    device(0x2E8A, 0x000C);
    facts.descriptors.release = 0x0221;
    usb_device_identify(&facts, &identity);
    cr_assert_str_eq(identity.firmware, "2.2.1");
    device(0x0483, 0x374B);
    facts.descriptors.release = 0x0100;
    usb_device_identify(&facts, &identity);
    cr_assert_str_eq(identity.firmware, "");
}

/* Only firmware for a debugger counts: not a V1, a boot loader or a model that OpenOCD does not know. */
Test(usb_device, an_st_link_is_driven_directly)
{
    static const unsigned direct[] = {0x3748, 0x374b, 0x3752, 0x374e, 0x374f, 0x3753, 0x3754},
                          others[] = {0x3744, 0x374a, 0x374d, 0x3755, 0x3757};

    for (size_t i = 0; i < sizeof direct / sizeof *direct; i++) {
        device(0x0483, direct[i]);
        usb_device_identify(&facts, &identity);
        cr_expect(usb_is_stlink(&identity) && usb_is_direct(&identity), "%04x", direct[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        device(0x0483, others[i]);
        usb_device_identify(&facts, &identity);
        cr_expect_not(usb_is_stlink(&identity) || usb_is_direct(&identity), "%04x", others[i]);
    }
    device(0x1366, 0x0101); /* J-Link */
    usb_device_identify(&facts, &identity);
    cr_expect_not(usb_is_stlink(&identity));
}
