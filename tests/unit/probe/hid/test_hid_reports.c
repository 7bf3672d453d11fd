/* SPDX-License-Identifier: MIT */
/* Sizes of reports from report descriptors, valid and invalid. */
#include "probe/hid/hid_reports.h"

#include <criterion/criterion.h>

#include "kinds.h"

static struct hid_reports reports;

static bool parse(const uint8_t *bytes, size_t length)
{
    reports = (struct hid_reports){0};
    return hid_reports_parse(&reports, bytes, length);
}

Test(hid_reports, the_emulated_probe_has_reports_of_its_packet_size)
{
    static const uint16_t sizes[] = {64, 512, 1024};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct usb_identity identity = *kind_find("cmsis-dap-v1");
        uint8_t bytes[USB_REPORT_BYTES];
        size_t length;

        identity.packet_bytes = sizes[i];
        length = usb_report_descriptor(&identity, bytes);
        cr_assert(parse(bytes, length));
        cr_expect_eq(reports.in_bytes, sizes[i]);
        cr_expect_eq(reports.out_bytes, sizes[i]);
    }
}

/* As in DAPLink: a feature report follows, whose size does not matter. */
Test(hid_reports, each_direction_has_its_own_size)
{
    static const uint8_t bytes[] = {0x06, 0x00, 0xFF, 0x09, 0x01, 0xA1, 0x01, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75,
                                    0x08, 0x95, 0x40, 0x09, 0x01, 0x81, 0x02, 0x95, 0x3F, 0x09, 0x01, 0x91, 0x02,
                                    0x75, 0x01, 0x95, 0x04, 0x91, 0x01, 0x95, 0x01, 0x09, 0x01, 0xB1, 0x02, 0xC0};

    cr_assert(parse(bytes, sizeof bytes));
    cr_expect_eq(reports.in_bytes, 64);
    cr_expect_eq(reports.out_bytes, 64, "63 bytes and four bits");
}

Test(hid_reports, a_descriptor_that_is_cut_off_is_refused)
{
    static const uint8_t bytes[] = {0x75, 0x08, 0x96, 0x40, 0x00, 0x81, 0x02, 0x91, 0x02};

    cr_assert(parse(bytes, sizeof bytes));
    for (size_t length = 0; length < sizeof bytes; length++)
        cr_expect_not(parse(bytes, length), "%zu bytes", length);
}

Test(hid_reports, other_devices_are_refused)
{
    static const struct {
        const char *what;
        uint8_t bytes[16];
        size_t length;
    } rows[] = {
        {"only input", {0x75, 0x08, 0x95, 0x40, 0x81, 0x02}, 6},
        {"only output", {0x75, 0x08, 0x95, 0x40, 0x91, 0x02}, 6},
        {"numbered reports", {0x85, 0x01, 0x75, 0x08, 0x95, 0x40, 0x81, 0x02, 0x91, 0x02}, 10},
        {"push", {0xA4, 0x75, 0x08, 0x95, 0x40, 0x81, 0x02, 0x91, 0x02}, 9},
        {"pop", {0xB4, 0x75, 0x08, 0x95, 0x40, 0x81, 0x02, 0x91, 0x02}, 9},
        {"a long item", {0x75, 0x08, 0x95, 0x40, 0x81, 0x02, 0x91, 0x02, 0xFE, 0x00, 0x00}, 11},
        {"no bytes", {0x75, 0x00, 0x95, 0x40, 0x81, 0x02, 0x91, 0x02}, 8},
        {"one byte more than the longest packet", {0x75, 0x08, 0x96, 0x01, 0x04, 0x81, 0x02, 0x91, 0x02}, 9},
        {"the same in two fields", {0x75, 0x08, 0x96, 0x01, 0x02, 0x81, 0x02, 0x81, 0x02, 0x91, 0x02}, 11},
        {"numbers whose product has 64 bits",
         {0x77, 0xFF, 0xFF, 0xFF, 0xFF, 0x97, 0xFF, 0xFF, 0xFF, 0xFF, 0x81, 0x02, 0x91, 0x02},
         14},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_not(parse(rows[i].bytes, rows[i].length), "%s", rows[i].what);
}
