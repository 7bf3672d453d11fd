/* SPDX-License-Identifier: MIT */
/* The descriptors of the probes, and their requests on endpoint 0. */
#include "kinds.h"
#include "usb.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const kinds[] = {"stlink-v2-1", "stlink-v3", "cmsis-dap", "cmsis-dap-v1"};

/* Returns the length of the answer in bytes; SIZE_MAX if the endpoint stalls. */
static size_t ask(const struct usb_identity *identity, const uint8_t *setup, uint8_t *data, size_t room)
{
    size_t length = 99;
    enum usb_result result = usb_control(identity, setup, data, room, &length);
    cr_assert(result == USB_DONE || (result == USB_STALLED && length == 0));
    return result == USB_DONE ? length : SIZE_MAX;
}

static size_t get_string(const struct usb_identity *identity, uint8_t number, char *text)
{
    uint8_t data[255];
    size_t length = ask(identity, (const uint8_t[]){0x80, 6, number, 3, 0, 0, 255, 0}, data, sizeof data);
    if (length == SIZE_MAX)
        return length;
    cr_assert_eq(data[0], length);
    cr_assert_eq(data[1], 3);
    for (size_t i = 2; i < length; i += 2) {
        cr_assert_eq(data[i + 1], i == 2 && number == 0 ? 4 : 0); /* English is 0x0409 */
        text[i / 2 - 1] = (char)data[i];
    }
    text[length / 2 - 1] = '\0';
    return length;
}

Test(usb, descriptors_are_chained_by_their_lengths)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint8_t bytes[USB_DESCRIPTORS_BYTES];
        const struct usb_identity *identity = kind_find(kinds[i]);
        size_t length = usb_descriptors(identity, bytes), at = 0, endpoints = 0;

        cr_assert_eq(bytes[0], 18);
        cr_assert_eq(bytes[8] | bytes[9] << 8, identity->vendor);
        cr_assert_eq(bytes[10] | bytes[11] << 8, identity->product);
        cr_assert_eq((size_t)(bytes[20] | bytes[21] << 8), length - 18, "the configuration's total length");
        for (; at < length; at += bytes[at]) {
            cr_assert_gt(bytes[at], 1);
            if (bytes[at + 1] != 5)
                continue;
            endpoints++;
            cr_assert_eq(bytes[at + 3], identity->is_hid ? 3 : 2, "interrupt, or bulk");
            cr_assert_eq(bytes[at + 4] | bytes[at + 5] << 8, identity->packet_bytes);
        }
        cr_assert_eq(at, length);
        cr_assert_eq(endpoints, bytes[18 + 9 + 4]);
    }
}

Test(usb, probes_are_known_by_their_strings)
{
    char text[128];
    const struct usb_identity *dap = kind_find("cmsis-dap"), *stlink = kind_find("stlink-v3");

    cr_assert_eq(get_string(stlink, 0, text), 4);
    get_string(stlink, 2, text);
    cr_assert_str_eq(text, "STLINK-V3");
    cr_assert_eq(get_string(stlink, 3, text), 2 + 2 * 24, "OpenOCD wants 24 characters");
    get_string(dap, 4, text);
    cr_assert(strstr(text, "CMSIS-DAP"));
    cr_assert_eq(get_string(dap, 5, text), SIZE_MAX);
    cr_assert_null(kind_find("j-trace"));
    cr_assert(kind_is_stlink(stlink) && !kind_is_stlink(dap));
}

Test(usb, a_long_serial_number_is_cut)
{
    char serial[300], text[128];
    struct usb_identity identity = *kind_find("cmsis-dap");

    memset(serial, 'A', sizeof serial);
    serial[sizeof serial - 1] = '\0';
    identity.serial = serial;
    cr_assert_eq(get_string(&identity, 3, text), USB_STRING_BYTES);
}

Test(usb, a_raw_serial_number_has_a_byte_in_each_character)
{
    static const uint8_t serial[USB_RAW_SERIAL_BYTES] = {0x57, 0, 0xFF};
    uint8_t data[64];
    struct usb_identity identity = *kind_find("stlink-v2-1");

    identity.raw_serial = serial;
    cr_assert_eq(ask(&identity, (const uint8_t[]){0x80, 6, 3, 3, 9, 4, 64, 0}, data, sizeof data), 26);
    cr_assert_arr_eq(data, ((const uint8_t[]){26, 3, 0x57, 0, 0, 0, 0xFF, 0, 0, 0}), 10);
}

Test(usb, an_answer_is_no_longer_than_requested_or_than_the_buffer)
{
    const struct usb_identity *identity = kind_find("cmsis-dap");

    for (unsigned wanted = 0; wanted < 300; wanted++) {
        for (size_t room = 0; room <= 20; room++) {
            uint8_t data[21];
            const uint8_t setup[] = {0x80, 6, 0, 1, 0, 0, (uint8_t)wanted, (uint8_t)(wanted >> 8)};
            size_t least = wanted < 18 ? wanted : 18;

            memset(data, 0xEE, sizeof data);
            cr_assert_eq(ask(identity, setup, data, room), room < least ? room : least);
            cr_assert_eq(data[room < least ? room : least], 0xEE);
        }
    }
}

Test(usb, other_requests_stall)
{
    const struct usb_identity *identity = kind_find("stlink-v2-1");
    unsigned answered = 0;

    for (unsigned type = 0; type < 256; type++) {
        for (unsigned request = 0; request < 256; request++) {
            uint8_t data[64];
            const uint8_t setup[] = {(uint8_t)type, (uint8_t)request, 0, 1, 0, 0, 64, 0};

            if (ask(identity, setup, data, sizeof data) == SIZE_MAX)
                continue;
            answered++;
            cr_assert((type & 0xE0) == 0x80 && (request == 0 || request == 6 || request == 8));
        }
    }
    cr_assert_eq(answered, 3 * 32);
}
