/* SPDX-License-Identifier: MIT */
/* Strings of USB devices: invalid descriptors, and any bytes. */
#include "probe/usb/usb_descriptors.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *text_of(const struct usb_string *string)
{
    static char text[USB_STRING_TEXT_BYTES];

    return usb_string_text(string, text);
}

static const char *descriptor(const uint8_t *bytes, size_t length)
{
    static struct usb_string string;

    usb_string_from_descriptor(&string, bytes, length);
    return text_of(&string);
}

static const char *sysfs(const char *text)
{
    static struct usb_string string;

    usb_string_from_sysfs(&string, text, strlen(text));
    return text_of(&string);
}

Test(usb_string, a_descriptor_is_utf_16)
{
    static const uint8_t bytes[] = {12, 3, 'A', 0, 0xE9, 0, 0xAC, 0x20, 0x3D, 0xD8, 0x00, 0xDE};

    cr_assert_str_eq(descriptor(bytes, sizeof bytes), "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

Test(usb_string, every_prefix_of_a_descriptor_gives_its_characters)
{
    static const uint8_t bytes[] = {8, 3, 'A', 0, 'B', 0, 'C', 0};
    static const char *const want[] = {"", "", "", "", "A", "A", "AB", "AB", "ABC"};

    for (size_t length = 0; length <= sizeof bytes; length++) {
        uint8_t *exact = malloc(length + 1);

        memcpy(exact, bytes, length);
        cr_assert_str_eq(descriptor(exact, length), want[length], "%zu", length);
        free(exact);
    }
}

Test(usb_string, a_wrong_length_is_limited_by_the_bytes)
{
    static const uint8_t too_long[] = {255, 3, 'A', 0, 'B', 0}, too_short[] = {4, 3, 'A', 0, 'B', 0},
                         none[] = {0, 3, 'A', 0}, other_type[] = {6, 2, 'A', 0, 'B', 0};

    cr_assert_str_eq(descriptor(too_long, sizeof too_long), "AB");
    cr_assert_str_eq(descriptor(too_short, sizeof too_short), "A");
    cr_assert_str_eq(descriptor(none, sizeof none), "");
    cr_assert_str_eq(descriptor(other_type, sizeof other_type), "");
}

Test(usb_string, half_pairs_and_zeros_are_replaced)
{
    static const uint8_t high[] = {6, 3, 0x3D, 0xD8, 'A', 0}, low[] = {6, 3, 0x00, 0xDE, 'A', 0},
                         zeros[] = {10, 3, 'A', 0, 0, 0, 'B', 0, 0, 0};

    cr_assert_str_eq(descriptor(high, sizeof high), "\xef\xbf\xbd"
                                                    "A");
    cr_assert_str_eq(descriptor(low, sizeof low), "\xef\xbf\xbd"
                                                  "A");
    cr_assert_str_eq(descriptor(zeros, sizeof zeros),
                     "A\xef\xbf\xbd"
                     "B",
                     "zeros at the end are left out");
}

Test(usb_string, sysfs_ends_a_string_with_one_line_feed)
{
    cr_assert_str_eq(sysfs("ST-Link\n"), "ST-Link");
    cr_assert_str_eq(sysfs("ST-Link\n\n"), "ST-Link\n", "a raw serial may end in one");
    cr_assert_str_eq(sysfs("\n"), "");
    cr_assert_str_eq(sysfs(""), "");
}

Test(usb_string, bytes_that_are_not_utf_8_are_replaced_one_by_one)
{
    cr_assert_str_eq(sysfs("a\xff"
                           "b"),
                     "a\xef\xbf\xbd"
                     "b");
    cr_assert_str_eq(sysfs("\xc0\x80"), "\xef\xbf\xbd\xef\xbf\xbd", "overlong");
    cr_assert_str_eq(sysfs("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", "a surrogate");
    cr_assert_str_eq(sysfs("\xf4\x90\x80\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", "beyond Unicode");
    cr_assert_str_eq(sysfs("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd", "cut");
    cr_assert_str_eq(sysfs("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80");
}

Test(usb_string, a_text_that_is_too_long_is_cut)
{
    char text[2001];
    struct usb_string string;

    memset(text, 'x', 2000);
    usb_string_from_sysfs(&string, text, 2000);
    cr_assert_eq(string.count, USB_STRING_UNITS_MAX);
    for (size_t i = 0; i < 2000; i += 4)
        memcpy(text + i, "\xf0\x9f\x98\x80", 4);
    usb_string_from_sysfs(&string, text, 2000);
    cr_assert_eq(string.count, USB_STRING_UNITS_MAX);
    cr_assert_lt(strlen(text_of(&string)), USB_STRING_TEXT_BYTES);
}

Test(usb_string, a_word_is_found_anywhere)
{
    struct usb_string string;

    usb_string_from_sysfs(&string, "DAPLink CMSIS-DAP\n", 18);
    cr_assert(usb_string_has(&string, "CMSIS-DAP"));
    cr_assert(usb_string_has(&string, "DAPLink"));
    cr_assert_not(usb_string_has(&string, "CMSIS_DAP"));
    cr_assert_not(usb_string_has(&string, "CMSIS-DAP v2"));
}
