/* SPDX-License-Identifier: MIT */
/* The bytes of each command to a CMSIS-DAP probe; answers that are correct, truncated, too long or wrong. */
#include "probe/dap/dap_command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct dap_packet packet;

static void is(const char *expected)
{
    char text[3 * DAP_PACKET_BYTES_MAX + 1] = "";

    for (size_t i = 0; i < packet.length; i++)
        snprintf(text + 3 * i, 4, "%02x ", packet.bytes[i]);
    cr_assert_eq(strncmp(text, expected, strlen(expected)), 0, "'%s' instead of '%s'", text, expected);
    cr_assert_eq(strlen(text), strlen(expected) + 1, "'%s' instead of '%s'", text, expected);
    cr_assert(dap_is_permitted(packet.bytes, packet.length), "'%s' is not permitted", text);
}

Test(dap_command, each_command_has_its_bytes)
{
    dap_make_info(&packet, DAP_PACKET_COUNT);
    is("00 fe");
    dap_make_connect(&packet);
    is("02 01");
    dap_make_disconnect(&packet);
    is("03");
    dap_make_clock(&packet, 4000000);
    is("11 00 09 3d 00");
    dap_make_transfer_configure(&packet, 0x164);
    is("04 00 64 01 00 00");
    dap_make_swd_configure(&packet);
    is("13 00");
    dap_make_abort(&packet, false);
    is("08 00 1e 00 00 00");
    dap_make_abort(&packet, true);
    is("08 00 1f 00 00 00");
    dap_make_block(&packet, 0x10E);
    is("06 00 0e 01 0f");
}

Test(dap_command, each_sequence_has_its_bytes)
{
    dap_make_sequence(&packet, DAP_LINE_RESET);
    is("12 40 ff ff ff ff ff ff ff 00");
    dap_make_sequence(&packet, DAP_JTAG_TO_SWD);
    is("12 88 ff ff ff ff ff ff ff 9e e7 ff ff ff ff ff ff ff 00");
    dap_make_sequence(&packet, DAP_DORMANT_TO_SWD);
    is("12 e0 ff 92 f3 09 62 95 2d 85 86 e9 af dd e3 a2 0e bc 19 a0 f1 ff ff ff ff ff ff ff ff 00");
    dap_make_target_select(&packet, 0x01002927);
    is("1d 03 08 99 85 21 27 29 00 01 00");
    dap_make_target_select(&packet, 0x11002927);
    is("1d 03 08 99 85 21 27 29 00 11 01");
}

Test(dap_command, requests_follow_each_other)
{
    dap_make_transfer(&packet);
    dap_add_select(&packet, 3, DAP_BANK_IDENTITY);
    dap_add_read(&packet, DAP_DATA, 1);
    dap_add_select(&packet, 0, DAP_BANK_CONTROL);
    dap_add_power(&packet, DAP_POWER);
    dap_add_power(&packet, 0);
    dap_add_read(&packet, DAP_CTRL_STAT, 1);
    is("05 00 06 08 f0 00 00 03 0f 08 00 00 00 00 04 00 00 00 50 04 00 00 00 00 06");
    dap_make_transfer(&packet);
    dap_add_csw(&packet);
    dap_add_tar(&packet, 0x20000FF8);
    dap_add_read(&packet, DAP_DATA, 3);
    dap_add_read(&packet, DAP_TAR_NOW, 1);
    dap_add_select_link(&packet);
    is("05 00 07 01 12 00 00 a2 05 f8 0f 00 20 0f 0f 0f 07 08 03 00 00 00");
    cr_assert_eq(packet.words, 4);
}

static enum dap_result take(const uint8_t *bytes, size_t length)
{
    const uint8_t *words;

    return dap_take_transfer(&packet, bytes, length, &words);
}

Test(dap_command, an_answer_to_a_transfer_is_whole)
{
    static const uint8_t good[] = {5, 3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const uint8_t *words;

    dap_make_transfer(&packet);
    dap_add_tar(&packet, 0);
    dap_add_read(&packet, DAP_DATA, 2);
    cr_assert_eq(dap_take_transfer(&packet, good, 11, &words), DAP_OK);
    cr_assert_eq(dap_word(words), 0x04030201);
    cr_assert_eq(dap_word(words + 4), 0x08070605);
    for (size_t length = 0; length < 13; length++)
        cr_expect_eq(take(good, length), length == 11 ? DAP_OK : DAP_CONFUSED, "%zu bytes", length);
}

Test(dap_command, each_bit_of_an_answers_head_matters)
{
    uint8_t bytes[4 + 8] = {6, 2, 0, 1};

    dap_make_block(&packet, 2);
    cr_assert_eq(take(bytes, sizeof bytes), DAP_OK);
    for (unsigned bit = 0; bit < 32; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        cr_expect_neq(take(bytes, sizeof bytes), DAP_OK, "bit %u", bit);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

Test(dap_command, each_status_of_the_target_is_reported)
{
    static const struct {
        uint8_t status;
        enum dap_result result;
    } rows[] = {{1, DAP_CONFUSED}, {2, DAP_WAIT},   {4, DAP_FAULT},  {7, DAP_SILENT},
                {0, DAP_SILENT},   {8, DAP_PARITY}, {9, DAP_PARITY}, {0x11, DAP_CONFUSED}};

    dap_make_transfer(&packet);
    dap_add_read(&packet, DAP_DATA, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint8_t few[] = {5, 1, rows[i].status, 1, 2, 3, 4}, many[] = {5, 4, rows[i].status};

        cr_expect_eq(take(few, sizeof few), rows[i].result, "status %u", rows[i].status);
        cr_expect_eq(take(many, sizeof many), DAP_CONFUSED, "more is done than was asked");
    }
}

/* A padded answer is taken like the same answer without padding. An answer that is cut off stays cut off. */
Test(dap_command, padding_is_removed)
{
    uint8_t block[64] = {6, 2, 0, 1}, transfer[64] = {5, 3, 1}, fault[64] = {5, 1, 4}, info[64] = {0, 2, 0x40},
            status[64] = {0x1D, 0, 0};

    dap_make_block(&packet, 2);
    for (size_t i = 0; i <= sizeof block; i++)
        cr_expect_eq(dap_unpadded(&packet, block, i), i < 12 ? i : 12);
    dap_make_transfer(&packet);
    dap_add_tar(&packet, 0);
    dap_add_read(&packet, DAP_DATA, 2);
    for (size_t i = 0; i <= sizeof transfer; i++)
        cr_expect_eq(dap_unpadded(&packet, transfer, i), i < 11 ? i : 11);
    cr_expect_eq(dap_unpadded(&packet, fault, sizeof fault), 3, "no word is valid after a fault");
    dap_make_info(&packet, DAP_PACKET_SIZE);
    for (size_t i = 0; i <= sizeof info; i++)
        cr_expect_eq(dap_unpadded(&packet, info, i), i < 4 ? i : 4);
    dap_make_disconnect(&packet);
    cr_expect_eq(dap_unpadded(&packet, status, sizeof status), 2);
    dap_make_target_select(&packet, 1);
    cr_expect_eq(dap_unpadded(&packet, status, sizeof status), 3);
}

Test(dap_command, information_has_its_announced_length)
{
    static const uint8_t bytes[] = {0, 2, 0x40, 0, 0}, other[] = {1, 2, 0x40, 0};
    const uint8_t *payload;
    size_t length;

    for (size_t i = 0; i <= sizeof bytes; i++)
        cr_expect_eq(dap_take_info(bytes, i, &payload, &length), i == 4 ? DAP_OK : DAP_CONFUSED);
    cr_expect_eq(length, 2);
    cr_expect_eq(dap_take_info(other, sizeof other, &payload, &length), DAP_CONFUSED);
}

Test(dap_command, a_status_belongs_to_its_command)
{
    static const uint8_t connected[] = {2, 1}, refused[] = {2, 0}, done[] = {3, 0}, failed[] = {3, 0xFF},
                         sequence[] = {0x1D, 0, 0};
    bool ok;

    dap_make_connect(&packet);
    cr_assert(dap_take_status(&packet, connected, 2, &ok) == DAP_OK && ok);
    cr_assert(dap_take_status(&packet, refused, 2, &ok) == DAP_OK && !ok);
    cr_assert_eq(dap_take_status(&packet, done, 2, &ok), DAP_CONFUSED);
    cr_assert_eq(dap_take_status(&packet, connected, 1, &ok), DAP_CONFUSED);
    dap_make_disconnect(&packet);
    cr_assert(dap_take_status(&packet, done, 2, &ok) == DAP_OK && ok);
    cr_assert(dap_take_status(&packet, failed, 2, &ok) == DAP_OK && !ok);
    dap_make_target_select(&packet, 1);
    cr_assert(dap_take_status(&packet, sequence, 3, &ok) == DAP_OK && ok);
    cr_assert_eq(dap_take_status(&packet, sequence, 2, &ok), DAP_CONFUSED);
}
