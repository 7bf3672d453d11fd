/* SPDX-License-Identifier: MIT */
/* Fields in the encoding that protobuf.dev describes in "Encoding". */
#include <criterion/criterion.h>
#include <string.h>

#include "format/protobuf.h"

static uint8_t room[1024];
static struct protobuf message;

static void start(size_t size)
{
    memset(room, 0xEE, sizeof room);
    message = (struct protobuf){room, room + size};
}

static void expect(const char *bytes, size_t length)
{
    cr_assert_eq((size_t)(message.at - room), length);
    cr_assert_arr_eq(room, bytes, length);
}

#define EXPECT(bytes) expect(bytes, sizeof(bytes) - 1)

Test(protobuf, numbers_have_seven_bits_in_a_byte)
{
    start(sizeof room);
    protobuf_number(&message, 1, 150);
    EXPECT("\x08\x96\x01");
    protobuf_number(&message, 117, 0);
    EXPECT("\x08\x96\x01\xa8\x07\x00");
}

Test(protobuf, the_largest_number_has_ten_bytes)
{
    start(sizeof room);
    protobuf_number(&message, 2, UINT64_MAX);
    EXPECT("\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

Test(protobuf, fixed_numbers_have_eight_bytes)
{
    start(sizeof room);
    protobuf_fixed64(&message, 1, 0x0102030405060708);
    EXPECT("\x09\x08\x07\x06\x05\x04\x03\x02\x01");
}

Test(protobuf, texts_have_a_length)
{
    start(sizeof room);
    protobuf_text(&message, 2, "testing");
    EXPECT("\x12\x07testing");
}

Test(protobuf, texts_become_valid_utf8_without_control_characters)
{
    start(sizeof room);
    protobuf_text(&message, 1, "a\x1b\xff\xc2\x9b\xc2\xa0\xc3\xa9");
    EXPECT("\x0a\x0e"
           "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xc2\xa0\xc3\xa9");
}

Test(protobuf, long_texts_are_cut_between_characters)
{
    char text[1000];

    start(sizeof room);
    memset(text, 'x', sizeof text);
    memcpy(text + 255, "\xc3\xa9", 2);
    text[sizeof text - 1] = '\0';
    protobuf_text(&message, 1, text);
    cr_assert_eq(message.at - room, 1 + 2 + 255);
}

Test(protobuf, the_length_of_a_message_is_that_of_its_contents)
{
    uint8_t *inside;

    start(sizeof room);
    inside = protobuf_open(&message, 3);
    protobuf_number(&message, 1, 150);
    protobuf_close(&message, inside);
    EXPECT("\x1a\x03\x08\x96\x01");
}

Test(protobuf, a_length_of_128_takes_two_bytes)
{
    uint8_t *inside;

    start(sizeof room);
    inside = protobuf_open(&message, 1);
    for (int i = 0; i < 64; i++)
        protobuf_number(&message, 1, 1);
    protobuf_close(&message, inside);
    cr_assert_eq(message.at - room, 3 + 128);
    cr_assert_arr_eq(room, "\x0a\x80\x01\x08\x01", 5);
    cr_assert_eq(message.end, room + sizeof room);
}

/* For any size of the buffer, only complete fields are written, and nothing after the buffer's end. */
Test(protobuf, fields_that_do_not_fit_are_left_out)
{
    for (size_t size = 0; size < 300; size++) {
        uint8_t *outer, *inner;

        start(size);
        outer = protobuf_open(&message, 1);
        for (int i = 0; i < 20; i++) {
            inner = protobuf_open(&message, 2);
            protobuf_number(&message, 1, UINT64_MAX);
            protobuf_fixed64(&message, 2, 7);
            protobuf_text(&message, 3, "text");
            protobuf_close(&message, inner);
        }
        protobuf_close(&message, outer);
        cr_assert_leq(message.at, room + size, "%zu", size);
        cr_assert_eq(room[size], 0xEE, "%zu", size);
    }
}
