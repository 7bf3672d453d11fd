/* SPDX-License-Identifier: MIT */
/* Descriptors of USB devices: complete, cut at each byte, and with each bit flipped. */
#include "probe/usb/usb_descriptors.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* A probe with three interfaces: one has a bulk pair and another bulk in endpoint, one is HID, one has an alternate
 * setting. */
static const uint8_t probe[] = {
    18, 1, 0x10, 0x02, 0xEF, 2,    1, 64, 0x83, 0x04, 0x4B, 0x37, 0x00, 0x01, 1,    2, 3,    1,    9,  2,  94,
    0,  3, 1,    0,    0x80, 50,   9, 4,  0,    0,    3,    0xFF, 0xFE, 0xFD, 4,    7, 5,    0x01, 2,  64, 0,
    0,  7, 5,    0x81, 2,    64,   0, 0,  7,    5,    0x82, 2,    64,   0,    0,    9, 4,    1,    0,  1,  3,
    0,  0, 5,    9,    0x21, 0x11, 1, 0,  1,    0x22, 33,   0,    7,    5,    0x83, 3, 64,   0,    1,  9,  4,
    2,  0, 2,    0xFF, 0,    0,    0, 7,  5,    0x84, 2,    64,   0,    0,    7,    5, 0x04, 2,    64, 0,  0,
    9,  4, 2,    1,    1,    8,    0, 0,  0,    7,    5,    0x05, 2,    64,   0,    0,
};

static struct usb_descriptors parsed;

Test(usb_descriptors, a_device_is_parsed)
{
    cr_assert(usb_descriptors_parse(&parsed, probe, sizeof probe));
    cr_assert_eq(parsed.vendor, 0x0483);
    cr_assert_eq(parsed.product, 0x374B);
    cr_assert_eq(parsed.release, 0x0100);
    cr_assert_eq(parsed.device_class, 0xEF);
    cr_assert_eq(parsed.manufacturer_index, 1);
    cr_assert_eq(parsed.product_index, 2);
    cr_assert_eq(parsed.serial_index, 3);
    cr_assert_eq(parsed.interface_count, 3, "without alternate settings");
    cr_assert_eq(parsed.interfaces[0].configuration, 1);
    cr_assert_eq(parsed.interfaces[0].class, 0xFF);
    cr_assert_eq(parsed.interfaces[0].subclass, 0xFE);
    cr_assert_eq(parsed.interfaces[0].protocol, 0xFD);
    cr_assert_eq(parsed.interfaces[0].endpoints, 3);
    cr_assert_eq(parsed.interfaces[1].number, 1);
    cr_assert_eq(parsed.interfaces[1].class, 3);
}

Test(usb_descriptors, a_bulk_pair_is_an_out_and_an_in_endpoint)
{
    cr_assert(usb_descriptors_parse(&parsed, probe, sizeof probe));
    cr_assert_eq(parsed.interfaces[0].bulk_out, 0x01);
    cr_assert_eq(parsed.interfaces[0].bulk_in, 0x81);
    cr_assert_eq(parsed.interfaces[1].bulk_out, 0, "one endpoint, of interrupts");
    cr_assert_eq(parsed.interfaces[2].bulk_out, 0, "in comes first");
    cr_assert_eq(parsed.interfaces[2].bulk_in, 0);
    cr_assert_eq(parsed.interfaces[2].endpoints, 2, "not those of the alternate setting");
}

Test(usb_descriptors, bulk_endpoints_are_found_in_any_order)
{
    cr_assert(usb_descriptors_parse(&parsed, probe, sizeof probe));
    cr_assert_eq(parsed.interfaces[0].any_out, 0x01);
    cr_assert_eq(parsed.interfaces[0].any_in, 0x81, "the first");
    cr_assert_eq(parsed.interfaces[1].any_out | parsed.interfaces[1].any_in, 0, "one endpoint, of interrupts");
    cr_assert_eq(parsed.interfaces[2].any_out, 0x04);
    cr_assert_eq(parsed.interfaces[2].any_in, 0x84);
}

/* Parses a copy of exactly `length` bytes, so that the sanitizer detects a read past its end. */
static bool parse_exact(const uint8_t *bytes, size_t length)
{
    uint8_t *exact = malloc(length > 0 ? length : 1);
    bool result;

    memcpy(exact, bytes, length);
    result = usb_descriptors_parse(&parsed, exact, length);
    free(exact);
    return result;
}

/* The first interface's endpoints are at offset 36 and at offset 43. */
Test(usb_descriptors, other_endpoints_are_not_a_bulk_pair)
{
    static const struct {
        size_t offset;
        uint8_t value;
    } wrong[] = {{38, 0x82}, {39, 3}, {45, 0x02}, {46, 3}}; /* in, interrupt; out, interrupt */
    uint8_t bytes[sizeof probe];

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(bytes, probe, sizeof probe);
        bytes[wrong[i].offset] = wrong[i].value;
        cr_assert(usb_descriptors_parse(&parsed, bytes, sizeof bytes));
        cr_assert_eq(parsed.interfaces[0].bulk_out | parsed.interfaces[0].bulk_in, 0, "%zu", wrong[i].offset);
    }
}

Test(usb_descriptors, every_prefix_gives_its_complete_interfaces)
{
    size_t before = 0;

    for (size_t length = 0; length <= sizeof probe; length++) {
        bool has_device = parse_exact(probe, length);

        cr_assert_eq(has_device, length >= 18, "%zu", length);
        if (!has_device)
            continue;
        cr_assert_eq(parsed.vendor, 0x0483);
        cr_assert_geq(parsed.interface_count, before);
        before = parsed.interface_count;
    }
    cr_assert_eq(before, 3);
}

Test(usb_descriptors, no_flipped_bit_causes_an_access_out_of_bounds)
{
    uint8_t bytes[sizeof probe];

    for (size_t bit = 0; bit < 8 * sizeof probe; bit++) {
        memcpy(bytes, probe, sizeof probe);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (parse_exact(bytes, sizeof bytes))
            cr_assert_leq(parsed.interface_count, 8);
    }
}

Test(usb_descriptors, a_length_of_zero_or_past_the_end_ends_parsing)
{
    uint8_t bytes[sizeof probe];

    memcpy(bytes, probe, sizeof probe);
    bytes[27] = 0; /* changes the first interface */
    cr_assert(parse_exact(bytes, sizeof bytes));
    cr_assert_eq(parsed.interface_count, 0);
    bytes[27] = 255;
    cr_assert(parse_exact(bytes, sizeof bytes));
    cr_assert_eq(parsed.interface_count, 0);
    bytes[27] = 9;
    bytes[20] = 0xFF; /* the configuration's total length must not be trusted */
    bytes[21] = 0xFF;
    cr_assert(parse_exact(bytes, sizeof bytes));
    cr_assert_eq(parsed.interface_count, 3);
}

Test(usb_descriptors, surplus_interfaces_are_left_out)
{
    uint8_t bytes[18 + 9 * 300];

    memcpy(bytes, probe, 18);
    for (size_t i = 0; i < 300; i++) {
        const uint8_t interface[9] = {9, 4, (uint8_t)i, 0, 0, 0xFF, 0, 0, 0};

        memcpy(bytes + 18 + 9 * i, interface, 9);
    }
    cr_assert(parse_exact(bytes, sizeof bytes));
    cr_assert_eq(parsed.interface_count, USB_INTERFACES_MAX);
}
