/* SPDX-License-Identifier: MIT */
/* The number of bytes that each ST-Link command moves, as in OpenOCD 0.12.0. The data come in pieces of any size, and
 * commands may end after any byte. */
#include "fake_board.h"
#include "kinds.h"
#include "stlink_front.h"

#include <criterion/criterion.h>
#include <string.h>

#define OUT 0x01
#define IN  0x81

static struct fake_board board;
static struct board_access access;
static struct stlink_front front;
static struct usb_probe probe;

static void begin(void)
{
    access = fake_board_access(&board);
    struct probe_model model = stlink_front_init(&front, &access);
    usb_probe_init(&probe, kind_find("stlink-v2-1"), &model);
}

static enum usb_result send(const uint8_t *bytes, size_t length)
{
    return usb_probe_out(&probe, OUT, bytes, length);
}

static enum usb_result send_command(unsigned first, unsigned second, uint32_t address, unsigned length)
{
    const uint8_t command[BOARD_COMMAND_BYTES] = {
        (uint8_t)first,           (uint8_t)second,          (uint8_t)address, (uint8_t)(address >> 8),
        (uint8_t)(address >> 16), (uint8_t)(address >> 24), (uint8_t)length,  (uint8_t)(length >> 8)};
    return send(command, sizeof command);
}

/* Returns the length of the answer that waits to be read; 0: no answer. */
static size_t answer_bytes(void)
{
    static uint8_t bytes[BOARD_DATA_MAX];
    size_t length;
    enum usb_result result = usb_probe_in(&probe, IN, bytes, sizeof bytes, &length);
    cr_assert(result == USB_DONE || result == USB_WAITS);
    for (size_t i = 0; i < length; i++)
        cr_assert_eq(bytes[i], i ? (uint8_t)i : FAKE_BOARD_STATUS);
    return length;
}

Test(stlink_front, each_command_has_its_answer)
{
    static const struct {
        uint8_t first, second;
        size_t bytes;
    } rows[] = {
        {0xF1, 0x80, 6},  {0xFB, 0x80, 12}, {0xF3, 0x07, 0},  {0xF4, 0x01, 0},  {0xF5, 0, 2},    {0xF7, 0, 8},
        {0xF2, 0x01, 2},  {0xF2, 0x02, 2},  {0xF2, 0x09, 2},  {0xF2, 0x0A, 2},  {0xF2, 0x21, 0}, {0xF2, 0x30, 2},
        {0xF2, 0x31, 12}, {0xF2, 0x32, 2},  {0xF2, 0x33, 8},  {0xF2, 0x34, 2},  {0xF2, 0x35, 2}, {0xF2, 0x36, 8},
        {0xF2, 0x3A, 88}, {0xF2, 0x3B, 2},  {0xF2, 0x3C, 2},  {0xF2, 0x3E, 12}, {0xF2, 0x40, 2}, {0xF2, 0x41, 2},
        {0xF2, 0x42, 2},  {0xF2, 0x43, 2},  {0xF2, 0x44, 2},  {0xF2, 0x45, 8},  {0xF2, 0x46, 2}, {0xF2, 0x4B, 2},
        {0xF2, 0x4C, 2},  {0xF2, 0x61, 8},  {0xF2, 0x62, 52}, {0xF2, 0x99, 2},  {0x00, 0x00, 2},
    };
    begin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned before = board.runs;
        cr_assert_eq(send_command(rows[i].first, rows[i].second, 0, 0), USB_DONE);
        cr_assert_eq(board.runs, before + 1);
        cr_assert(board.command[0] == rows[i].first && board.command[1] == rows[i].second);
        cr_assert_eq(board.answer_bytes, rows[i].bytes, "%02x %02x", rows[i].first, rows[i].second);
        cr_assert_eq(answer_bytes(), rows[i].bytes);
    }
}

Test(stlink_front, memory_is_read_in_the_length_of_the_command)
{
    static const uint8_t codes[] = {0x07, 0x0C, 0x47, 0x54};
    begin();
    for (size_t i = 0; i < sizeof codes; i++) {
        cr_assert_eq(send_command(0xF2, codes[i], 0x20000000, 6144), USB_DONE);
        cr_assert_eq(answer_bytes(), 6144);
        cr_assert_eq(send_command(0xF2, codes[i], 0x20000000, 0), USB_DONE);
        cr_assert_eq(answer_bytes(), 0);
        cr_assert_eq(send_command(0xF2, codes[i], 0x20000000, BOARD_DATA_MAX + 1), USB_STALLED);
        usb_probe_clear_halt(&probe, OUT);
    }
    send_command(0xF2, 0x0C, 0x20000000, 1);
    cr_assert_eq(answer_bytes(), 2, "a single byte is padded to two");
}

Test(stlink_front, data_may_arrive_in_any_pieces)
{
    static const uint8_t codes[] = {0x08, 0x0D, 0x48, 0x50};
    uint8_t data[100];
    begin();
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(3 * i);
    for (size_t piece = 1; piece <= sizeof data; piece++) {
        unsigned before = board.runs;
        cr_assert_eq(send_command(0xF2, codes[piece % 4], 0x20000000, sizeof data), USB_DONE);
        for (size_t at = 0; at < sizeof data; at += piece) {
            cr_assert_eq(board.runs, before, "not before it is complete");
            cr_assert_eq(send(data + at, sizeof data - at < piece ? sizeof data - at : piece), USB_DONE);
        }
        cr_assert_eq(board.runs, before + 1);
        cr_assert_eq(board.command[1], codes[piece % 4]);
        cr_assert_eq(board.data_bytes, sizeof data);
        cr_assert_eq(memcmp(board.data, data, sizeof data), 0);
        cr_assert_eq(answer_bytes(), 0);
    }
}

Test(stlink_front, more_data_than_announced_is_refused)
{
    uint8_t data[64] = {0};
    begin();
    send_command(0xF2, 0x08, 0x20000000, 32);
    cr_assert_eq(send(data, 20), USB_DONE);
    cr_assert_eq(send(data, 13), USB_STALLED);
    cr_assert_eq(board.runs, 0);
    usb_probe_clear_halt(&probe, OUT);
    cr_assert_eq(send_command(0xF1, 0x80, 0, 0), USB_DONE, "a command is next");
    cr_assert_eq(answer_bytes(), 6);
    cr_assert_eq(send_command(0xF2, 0x08, 0, 0), USB_DONE, "no data at all");
    cr_assert_eq(board.runs, 2);
}

Test(stlink_front, a_list_of_accesses_is_answered_by_its_length)
{
    static uint8_t data[8192];
    begin();
    for (uint32_t steps = 0; steps <= 1227; steps += 1 + steps / 7) {
        size_t bytes = (steps + 3) / 4 * 4 + 4 * steps;
        cr_assert_eq(send_command(0xF2, 0x51, steps, 0), USB_DONE);
        if (bytes)
            cr_assert_eq(send(data, bytes), USB_DONE);
        cr_assert_eq(board.data_bytes, bytes);
        cr_assert_eq(send_command(0xF2, 0x52, 0, 0), USB_DONE);
        cr_assert_eq(answer_bytes(), 8 * steps);
    }
    cr_assert_eq(send_command(0xF2, 0x51, 5000, 0), USB_STALLED);
    usb_probe_clear_halt(&probe, OUT);
    cr_assert_eq(send_command(0xF2, 0x51, UINT32_MAX, 0), USB_STALLED);
}

Test(stlink_front, commands_of_another_length_stall)
{
    uint8_t command[BOARD_DATA_MAX] = {0xF1, 0x80};
    begin();
    for (size_t length = 1; length < 600; length++) {
        cr_assert_eq(send(command, length), length == 16 ? USB_DONE : USB_STALLED, "%zu bytes", length);
        usb_probe_clear_halt(&probe, OUT);
    }
    cr_assert_eq(board.runs, 1);
}

Test(stlink_front, a_board_that_is_gone_gives_no_answer)
{
    begin();
    board.gone = true;
    cr_assert_eq(send_command(0xF1, 0x80, 0, 0), USB_DONE);
    cr_assert_eq(answer_bytes(), 0);
}

Test(stlink_front, after_plugging_in_again_a_command_is_expected)
{
    begin();
    send_command(0xF2, 0x08, 0x20000000, 32);
    usb_probe_reset(&probe);
    cr_assert_eq(send_command(0xF1, 0x80, 0, 0), USB_DONE);
    cr_assert_eq(answer_bytes(), 6);
}

Test(stlink_front, only_answers_that_begin_with_a_status_may_be_made_wrong)
{
    static const struct {
        uint8_t first, second;
        bool status;
    } rows[] = {{0xF1, 0, false}, {0xF5, 0, false}, {0xF2, 0x07, false}, {0xF2, 0x36, true}, {0xF2, 0x3E, true}};
    begin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        send_command(rows[i].first, rows[i].second, 0x20000000, 4);
        cr_assert_eq(probe.answers[0].status_first, rows[i].status, "row %zu", i);
        answer_bytes();
        probe.first = 0;
    }
}

/* The board has only access port 0. Another port than the target's does not exist there. */
Test(stlink_front, another_access_port_is_the_boards_port_0)
{
    static const uint8_t steps[] = {0x05, 0x03, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20};
    static const struct {
        uint8_t command[BOARD_COMMAND_BYTES];
        size_t at; /* place of the access port */
    } rows[] = {{{0xF2, 0x07, 0, 0, 0, 0x20, 4, 0, 3}, 8},
                {{0xF2, 0x4B, 3}, 2},
                {{0xF2, 0x4C, 3}, 2},
                {{0xF2, 0x45, 3, 0, 0xFC}, 2}};
    uint8_t command[BOARD_COMMAND_BYTES];

    begin();
    front.access_port = 3;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memcpy(command, rows[i].command, sizeof command);
        cr_assert_eq(send(command, sizeof command), USB_DONE);
        cr_expect_eq(board.command[rows[i].at], 0, "%02x", command[1]);
        command[rows[i].at] = 0;
        cr_assert_eq(send(command, sizeof command), USB_DONE);
        cr_expect_eq(board.command[rows[i].at], 0x7F, "%02x", command[1]);
    }
    cr_assert_eq(send((const uint8_t[BOARD_COMMAND_BYTES]){0xF2, 0x45, 0xFF, 0xFF}, BOARD_COMMAND_BYTES), USB_DONE);
    cr_expect_eq(board.command[2], 0xFF, "the debug port");
    cr_assert_eq(send((const uint8_t[BOARD_COMMAND_BYTES]){0xF2, 0x51, 2}, BOARD_COMMAND_BYTES), USB_DONE);
    cr_assert_eq(send(steps, sizeof steps), USB_DONE);
    cr_expect_eq(board.data[4], 0);
}
