/* SPDX-License-Identifier: MIT */
/* Commands of the emulated J-Link: their lengths, and the lengths of their answers. */
#include "jlink_front.h"
#include "kinds.h"

#include <criterion/criterion.h>
#include <string.h>

#include "usbprobe/fake_target.h"

static struct fake_target behind;
static struct jlink_front front;
static struct usb_probe probe; /* large */
static uint8_t answer[4096];
static size_t length;

static void begin(void)
{
    const struct debug_target port = fake_target(&behind);
    const struct probe_model model = jlink_front_init(&front, kind_find("jlink"), &port);
    usb_probe_init(&probe, kind_find("jlink"), &model);
}

static enum usb_result send(const uint8_t *bytes, size_t count)
{
    return usb_probe_out(&probe, 0x02, bytes, count);
}

static enum usb_result fetch(size_t room)
{
    return usb_probe_in(&probe, 0x81, answer, room, &length);
}

static void gets(const char *command, size_t command_bytes, size_t answer_bytes)
{
    cr_assert_eq(send((const uint8_t *)command, command_bytes), USB_DONE);
    cr_assert_eq(fetch(sizeof answer), answer_bytes ? USB_DONE : USB_WAITS);
    cr_assert_eq(length, answer_bytes, "command %02x: %zu bytes", (uint8_t)*command, length);
}

Test(jlink_front, each_command_has_its_answer)
{
    begin();
    gets("\x01", 1, 114);
    cr_expect_arr_eq(answer, "\x70\0J-Link V9 ", 12);
    gets("\x05\xa0\x0f", 3, 0);
    gets("\x07", 1, 8);
    gets("\x09\x64\0\0\0\0\0\0\0\0\0\0\0\0", 14, 76);
    gets("\xc0", 1, 6);
    gets("\xc7\xff", 2, 4);
    cr_expect_eq(answer[0], 3);
    gets("\xc7\x01", 2, 4);
    gets("\xd4", 1, 4);
    gets("\xe8", 1, 4);
    gets("\xed", 1, 32);
    gets("\xf0", 1, 4);
    cr_expect_eq(send((const uint8_t *)"\x42", 1), USB_STALLED);
}

static size_t swd_io(uint8_t *command, size_t clocks)
{
    size_t bytes = (clocks + 7) / 8;
    memset(command, 0, 4 + 2 * bytes);
    command[0] = 0xCF;
    command[2] = (uint8_t)clocks;
    command[3] = (uint8_t)(clocks >> 8);
    return 4 + 2 * bytes;
}

static uint8_t status_of(size_t clocks)
{
    static uint8_t command[JLINK_FRONT_COMMAND];
    cr_assert_eq(send(command, swd_io(command, clocks)), USB_DONE);
    cr_assert_eq(fetch(sizeof answer), USB_DONE);
    cr_assert_eq(length, (clocks + 7) / 8 + 1);
    return answer[length - 1];
}

Test(jlink_front, swd_needs_the_interface_registration_and_memory)
{
    begin();
    cr_expect_eq(status_of(54), 1);
    gets("\xc7\x01", 2, 4);
    cr_expect_eq(status_of(54), 1);
    gets("\x09\x64\0\0\0\0\0\0\0\0\0\0\0\0", 14, 76);
    cr_expect_eq(status_of(54), 0);
    front.room = 100;
    cr_expect_eq(status_of(8 * 48), 0);
    cr_expect_eq(status_of(8 * 48 + 1), 6);
}

Test(jlink_front, a_command_may_come_in_parts)
{
    static uint8_t command[64];
    begin();
    size_t bytes = swd_io(command, 100);
    for (size_t i = 0; i < bytes; i++) {
        cr_assert_eq(fetch(sizeof answer), USB_WAITS);
        cr_assert_eq(send(command + i, 1), USB_DONE);
    }
    cr_assert_eq(fetch(sizeof answer), USB_DONE);
    cr_assert_eq(length, 14);
    cr_assert_eq(send(command, bytes + 1), USB_STALLED);
}

Test(jlink_front, an_answer_of_whole_packets_is_not_ended)
{
    static uint8_t command[256];
    begin();
    cr_assert_eq(send(command, swd_io(command, 8 * 63)), USB_DONE);
    cr_assert_eq(fetch(sizeof answer), USB_WAITS, "with more room the host would wait forever");
    cr_assert_eq(fetch(64), USB_DONE);
    cr_assert_eq(length, 64);
}
