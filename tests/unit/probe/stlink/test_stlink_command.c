/* SPDX-License-Identifier: MIT */
/* The bytes of commands and answers, against bytes that were written down from OpenOCD's stlink_usb.c. */
#include "probe/stlink/stlink_command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static size_t bytes_of(const char *text, uint8_t *bytes)
{
    size_t length = 0;
    unsigned value;
    int used;

    for (; sscanf(text, " %2x%n", &value, &used) == 1; text += used)
        bytes[length++] = (uint8_t)value;
    return length;
}

/* Checks a command, which is filled with zeros, and the length of its answer. */
static void is_command(const struct stlink_command *command, const char *text, size_t answer_bytes)
{
    uint8_t bytes[STLINK_COMMAND_BYTES] = {0};

    (void)bytes_of(text, bytes);
    cr_expect_arr_eq(command->bytes, bytes, sizeof bytes, "%s", text);
    cr_expect_eq(command->answer_bytes, answer_bytes, "%s", text);
    cr_expect(stlink_is_permitted(command->bytes, command->data, command->data_bytes), "%s", text);
}

Test(stlink_command, makes_the_bytes_of_each_command)
{
    struct stlink_command command;

    stlink_make_version(&command);
    is_command(&command, "f1", 6);
    stlink_make_version_v3(&command);
    is_command(&command, "fb", 12);
    stlink_make_mode(&command);
    is_command(&command, "f5", 2);
    stlink_make_voltage(&command);
    is_command(&command, "f7", 8);
    stlink_make_enter(&command);
    is_command(&command, "f2 30 a3", 2);
    cr_expect(stlink_make_leave(&command, STLINK_MODE_DFU));
    is_command(&command, "f3 07", 0);
    cr_expect(stlink_make_leave(&command, STLINK_MODE_DEBUG));
    is_command(&command, "f2 21", 0);
    cr_expect(stlink_make_leave(&command, STLINK_MODE_SWIM));
    is_command(&command, "f4 01", 0);
    cr_expect_not(stlink_make_leave(&command, STLINK_MODE_IDLE));
    cr_expect_not(stlink_make_leave(&command, STLINK_MODE_BOOT));
    stlink_make_identity(&command);
    is_command(&command, "f2 45 ff ff 00 00", 8);
    stlink_make_clear_errors(&command);
    is_command(&command, "f2 46 ff ff 00 00 1e 00 00 00", 2);
    stlink_make_open_port(&command, 3);
    is_command(&command, "f2 4b 03", 2);
    stlink_make_close_port(&command, 3);
    is_command(&command, "f2 4c 03", 2);
    stlink_make_read(&command, 0x20001234, 6144, 3);
    is_command(&command, "f2 07 34 12 00 20 00 18 03", 6144);
    stlink_make_status(&command);
    is_command(&command, "f2 3e", 12);
    stlink_make_clocks(&command);
    is_command(&command, "f2 62", 52);
    stlink_make_clock_v3(&command, 24000);
    is_command(&command, "f2 61 00 00 c0 5d 00 00", 8);
}

Test(stlink_command, chooses_the_clock_of_a_v2)
{
    static const struct {
        unsigned wanted, khz;
        const char *command;
    } rows[] = {{4000, 4000, "f2 43"},   {24000, 4000, "f2 43"}, {3999, 1800, "f2 43 01"},
                {1000, 950, "f2 43 03"}, {100, 100, "f2 43 28"}, {1, 5, "f2 43 1e 03"}};
    struct stlink_command command;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_eq(stlink_make_clock_v2(&command, rows[i].wanted), rows[i].khz, "%u", rows[i].wanted);
        is_command(&command, rows[i].command, 2);
    }
}

Test(stlink_command, chooses_the_clock_of_a_v3)
{
    uint8_t answer[STLINK_CLOCKS_BYTES] = {0x80};

    (void)bytes_of("07 00 00 00 c0 5d 00 00 40 1f 00 00 e4 0c 00 00 e8 03 00 00 c8 00 00 00 32 00 00 00 05 00 00 00",
                   answer + 8);
    cr_expect_eq(stlink_choose_clock(answer, 24000), 24000);
    cr_expect_eq(stlink_choose_clock(answer, 4000), 3300);
    cr_expect_eq(stlink_choose_clock(answer, 1), 5);
    answer[8] = 255; /* more clocks than an answer has */
    cr_expect_eq(stlink_choose_clock(answer, 100000), 24000);
    answer[8] = 0;
    cr_expect_eq(stlink_choose_clock(answer, 24000), 0);
}

Test(stlink_command, a_list_has_its_steps_before_their_arguments)
{
    struct stlink_command list, fetch;
    uint8_t data[STLINK_DATA_BYTES_MAX];
    size_t length;

    stlink_make_list(&list, 2);
    for (uint32_t i = 0; i < 4; i++)
        stlink_add_word(&list, 0x20000000 + 16 * i);
    length = bytes_of("05 03 03 03 03 00 00 00  02 00 00 00  00 00 00 20  10 00 00 20  20 00 00 20  30 00 00 20", data);
    is_command(&list, "f2 51 05 00 00 00", 0);
    cr_expect_eq(list.data_bytes, length);
    cr_expect_arr_eq(list.data, data, length);
    stlink_make_fetch(&fetch, &list);
    is_command(&fetch, "f2 52", 40);
}

Test(stlink_command, a_list_of_every_length_is_permitted)
{
    struct stlink_command list;

    stlink_make_list(&list, 0);
    for (uint32_t words = 1; words < STLINK_STEPS_MAX; words++) {
        stlink_add_word(&list, 4 * words);
        cr_expect(stlink_is_permitted(list.bytes, list.data, list.data_bytes), "%u words", (unsigned)words);
        cr_expect_leq(list.data_bytes, sizeof list.data);
    }
}

Test(stlink_command, takes_the_words_of_a_list)
{
    uint8_t answer[24] = {0}, word[4];

    (void)bytes_of("00 00 00 00  78 56 34 12  ef be ad de   80 00 00 00  80 00 00 00  11 00 00 00", answer);
    cr_expect_eq(stlink_take_word(answer, 2, 0, word), STLINK_OK);
    cr_expect_eq(stlink_word(word), 0x12345678);
    cr_expect_eq(stlink_take_word(answer, 2, 1, word), STLINK_FAULT);
    answer[12] = 0x1D; /* the access port cannot be used */
    cr_expect_eq(stlink_take_word(answer, 2, 0, word), STLINK_BAD_PORT);
    answer[13] = 1;
    cr_expect_eq(stlink_take_word(answer, 2, 0, word), STLINK_CONFUSED);
}

static struct stlink_version version_of(const char *text, const char *text_v3)
{
    uint8_t bytes[STLINK_VERSION_V3_BYTES] = {0};
    struct stlink_version version;
    bool more;

    (void)bytes_of(text, bytes);
    cr_assert(stlink_take_version(bytes, &version, &more) || more, "%s", text);
    cr_assert_eq(more, text_v3 != NULL, "%s", text);
    if (more) {
        (void)bytes_of(text_v3, bytes);
        cr_assert(stlink_take_version_v3(bytes, &version), "%s", text_v3);
    }
    return version;
}

Test(stlink_command, a_version_decides_the_abilities)
{
    static const unsigned port = STLINK_OPENS_PORTS, all = STLINK_OPENS_PORTS | STLINK_CHOOSES_PORT | STLINK_RUNS_LISTS;
    static const struct {
        const char *bytes, *bytes_v3, *text, *least;
        unsigned abilities;
    } rows[] = {
        {"29 5a 83 04 4b 37", NULL, "V2J37M26", NULL, all}, /* V2-1 */
        {"28 07 83 04 48 37", NULL, "V2J32S7", NULL, all},  /* V2 */
        {"27 c7 83 04 48 37", NULL, "V2J31S7", NULL, port}, /* no lists */
        {"26 c4 83 04 48 37", NULL, "V2J27S4", NULL, 0},    /* access ports need not be opened */
        {"26 84 83 04 48 37", NULL, "V2J26S4", NULL, 0},    /* the oldest V2 */
        {"26 44 83 04 48 37", NULL, "V2J25S4", "V2J26", 0}, /* too old */
        {"26 49 83 04 4b 37", NULL, "V2J0M9", "V2J26", 0},  /* V2-1 for STM8: 25.9 is the version of SWIM */
        {"12 c0 83 04 44 37", NULL, "V1J11S0", "V2J26", 0}, /* V1 */
        {"30 00 83 04 4f 37", "03 00 0a 03 02 00 00 00 83 04 4f 37", "V3J10M3B2", NULL, all | STLINK_LISTS_CLOCKS},
        {"30 00 83 04 4e 37", "03 00 03 01 00 00 00 00 83 04 4e 37", "V3J3M1B0", NULL, all | STLINK_LISTS_CLOCKS},
        {"30 00 83 04 4e 37", "03 00 02 01 00 00 00 00 83 04 4e 37", "V3J2M1B0", "V3J3", all | STLINK_LISTS_CLOCKS},
        {"40 00 83 04 57 37", "04 00 01 01 01 00 00 00 83 04 57 37", "V4J1M1B1", NULL, all | STLINK_LISTS_CLOCKS},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct stlink_version version = version_of(rows[i].bytes, rows[i].bytes_v3);

        cr_expect_str_eq(version.text, rows[i].text);
        cr_expect_eq(version.abilities, rows[i].abilities, "%s: %x", rows[i].text, version.abilities);
        cr_expect_str_eq(version.least != NULL ? version.least : "", rows[i].least != NULL ? rows[i].least : "", "%s",
                         rows[i].text);
    }
}

Test(stlink_command, another_device_is_not_an_st_link)
{
    static const uint8_t zeros[STLINK_VERSION_V3_BYTES] = {0}, other[STLINK_VERSION_BYTES] = {0x29, 0x5A, 0x66, 0x13};
    struct stlink_version version;
    bool more;

    cr_expect_not(stlink_take_version(zeros, &version, &more));
    cr_expect_not(more);
    cr_expect_not(stlink_take_version(other, &version, &more));
    cr_expect_not(stlink_take_version_v3(zeros, &version));
}

Test(stlink_command, the_voltage_is_in_millivolts)
{
    static const uint8_t good[8] = {0xDC, 0x05, 0, 0, 0x0F, 0x08, 0, 0}, none[8] = {0, 0, 0, 0, 0x0F, 0x08, 0, 0},
                         much[8] = {1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF};

    cr_expect_eq(stlink_take_voltage(good), 3300);
    cr_expect_eq(stlink_take_voltage(none), 0);
    cr_expect_eq(stlink_take_voltage(much), 0);
}

Test(stlink_command, each_status_has_a_result)
{
    static const struct {
        uint8_t status;
        enum stlink_result result;
    } rows[] = {{0x80, STLINK_OK},      {0x81, STLINK_FAULT},  {0x09, STLINK_SILENT},   {0x10, STLINK_WAIT},
                {0x11, STLINK_FAULT},   {0x12, STLINK_FAULT},  {0x13, STLINK_PARITY},   {0x14, STLINK_WAIT},
                {0x15, STLINK_SILENT},  {0x16, STLINK_SILENT}, {0x17, STLINK_PARITY},   {0x18, STLINK_FAULT},
                {0x19, STLINK_FAULT},   {0x1A, STLINK_FAULT},  {0x1D, STLINK_BAD_PORT}, {0x00, STLINK_CONFUSED},
                {0x7F, STLINK_CONFUSED}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(stlink_result_of(rows[i].status), rows[i].result, "0x%02x", rows[i].status);
}
