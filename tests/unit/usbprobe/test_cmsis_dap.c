/* SPDX-License-Identifier: MIT */
/* Each CMSIS-DAP command and its answer; commands that end after any byte; transfers; lists that are too long. */
#include "cmsis_dap.h"
#include "fake_target.h"
#include "kinds.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define PACKET 64
#define OUT    0x04
#define IN     0x85

static struct fake_target target;
static struct cmsis_dap dap;
static struct usb_probe probe;

static void begin(size_t packet_bytes)
{
    struct debug_target behind = fake_target(&target);
    struct probe_model model = cmsis_dap_init(&dap, kind_find("cmsis-dap"), &behind, packet_bytes, 4);
    usb_probe_init(&probe, kind_find("cmsis-dap"), &model);
}

/* Sends a command. Returns the length of its answer; 0: no answer. */
static size_t ask(const uint8_t *command, size_t length, uint8_t *answer)
{
    size_t got = 0;
    cr_assert_eq(usb_probe_out(&probe, OUT, command, length), USB_DONE);
    enum usb_result result = usb_probe_in(&probe, IN, answer, CMSIS_DAP_PACKET_MAX, &got);
    cr_assert(result == USB_DONE || result == USB_WAITS);
    cr_assert_leq(got, dap.packet_bytes);
    return got;
}

/* Converts hexadecimal text to bytes; "*40" after a byte means 40 times that byte. */
static size_t bytes_of(const char *text, uint8_t *bytes)
{
    size_t length = 0;
    unsigned value;
    int used;
    while (sscanf(text, " %2x%n", &value, &used) == 1) {
        bytes[length++] = (uint8_t)value;
        text += used;
        if (*text != '*')
            continue;
        cr_assert_eq(sscanf(text, "*%u%n", &value, &used), 1);
        for (; value > 1; value--, length++)
            bytes[length] = bytes[length - 1];
        text += used;
    }
    return length;
}

static void gives(const char *command, const char *expected)
{
    uint8_t sent[CMSIS_DAP_PACKET_MAX], wanted[CMSIS_DAP_PACKET_MAX], answer[CMSIS_DAP_PACKET_MAX];
    size_t got = ask(sent, bytes_of(command, sent), answer), length = bytes_of(expected, wanted);
    char text[200] = "";
    for (size_t i = 0; i < got && i < 60; i++)
        snprintf(text + 3 * i, 4, "%02x ", answer[i]);
    cr_assert(got == length && memcmp(answer, wanted, length) == 0, "'%s' gives '%s', not '%s'", command, text,
              expected);
}

static void connect(void)
{
    gives("12 33 ff*7", "12 00");
    gives("05 00 01 02", "05 01 01 77 14 a0 2b");
    gives("05 00 02 04 00 00 00 50 01 52 00 00 23", "05 02 01");
}

static const char *const commands[][2] = {
    {"00 f0", "00 01 01"},
    {"00 fe", "00 01 04"},
    {"00 ff", "00 02 40 00"},
    {"00 04", "00 06 32 2e 31 2e 30 00"},
    {"00 05", "00 00"},
    {"01 00 01", "01 00"},
    {"02 00", "02 01"},
    {"02 01", "02 01"},
    {"02 02", "02 00"}, /* JTAG */
    {"03", "03 00"},
    {"04 00 40 00 00 00", "04 00"},
    {"08 00 1e 00 00 00", "08 00"},
    {"09 10 00", "09 00"},
    {"0a", "0a 00 00"},
    {"10 00 00 00 00 00 00", "10 83"},
    {"10 00 80 00 00 00 00", "10 03"},
    {"10 80 80 00 00 00 00", "10 83"},
    {"11 40 42 0f 00", "11 00"},
    {"11 00 00 00 00", "11 ff"},
    {"12 08 ff", "12 00"},
    {"12 00 ff*32", "12 00"},
    {"13 00", "13 00"},
    {"1d 02 08 99 85", "1d 00 00"},
    {"1d 01 80", "1d 00 00*8"},
    {"05 00 00", "05 00 00"},
    {"06 00 00 00 0f", "06 00 00 00"},
};

Test(cmsis_dap, each_command_has_its_answer)
{
    begin(PACKET);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        gives(commands[i][0], commands[i][1]);
    cr_assert_eq(target.resets, 1);
    cr_assert_eq(target.connects, 1, "256 ones");
    gives("00 02", "00 18 44 65 62 75 67 20 50 72 6f 62 65 20 28 43 4d 53 49 53 2d 44 41 50 29 00");
}

Test(cmsis_dap, a_command_that_ends_too_early_is_invalid)
{
    begin(PACKET);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        uint8_t sent[CMSIS_DAP_PACKET_MAX], answer[CMSIS_DAP_PACKET_MAX];
        size_t length = bytes_of(commands[i][0], sent);
        for (size_t cut = 1; cut < length; cut++) {
            cr_assert_eq(ask(sent, cut, answer), 1, "%zu bytes of '%s'", cut, commands[i][0]);
            cr_assert_eq(answer[0], 0xFF);
        }
    }
    cr_assert_eq(target.resets + target.connects, 0);
}

Test(cmsis_dap, unknown_commands_are_invalid_and_abort_is_not_answered)
{
    static const uint8_t known[] = {0, 1, 2, 3, 4, 5, 6, 8, 9, 0x0A, 0x10, 0x11, 0x12, 0x13, 0x1D};
    begin(PACKET);
    for (unsigned number = 0; number < 256; number++) {
        uint8_t command[PACKET] = {(uint8_t)number}, answer[CMSIS_DAP_PACKET_MAX];
        size_t length = ask(command, sizeof command, answer);
        if (number == 7)
            cr_assert_eq(length, 0);
        else if (memchr(known, (int)number, sizeof known))
            cr_assert_eq(answer[0], number);
        else
            cr_assert(length == 1 && answer[0] == 0xFF);
    }
}

Test(cmsis_dap, more_than_a_packet_stalls)
{
    uint8_t command[PACKET + 1] = {0};
    begin(PACKET);
    cr_assert_eq(usb_probe_out(&probe, OUT, command, sizeof command), USB_STALLED);
}

Test(cmsis_dap, transfers_reach_memory)
{
    begin(PACKET);
    gives("05 00 01 02", "05 00 07");
    connect();
    gives("05 00 03 05 00 01 00 20 0d 11 22 33 44 05 00 01 00 20", "05 03 01");
    cr_assert_eq(memcmp(target.memory + 0x100, (const uint8_t[]){0x11, 0x22, 0x33, 0x44}, 4), 0);
    gives("05 00 03 0f 0f 0e", "05 03 01 11 22 33 44 05 04 07 06 05 04 07 06");
    gives("05 00 03 05 00 00 00 10 0f 0f", "05 01 04");
    gives("05 00 01 0f", "05 00 04");
    gives("05 00 01 06", "05 01 01 20 00 00 f0");
    gives("08 00 04 00 00 00", "08 00");
    gives("05 00 01 06", "05 01 01 00 00 00 f0");
}

Test(cmsis_dap, a_run_of_reads_is_one_access)
{
    begin(PACKET);
    connect();
    gives("05 00 01 05 00 00 00 20", "05 01 01");
    unsigned before = target.reads;
    gives("05 00 0c 0f*12",
          "05 0c 01 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 1a 1b "
          "1c 1d 1e 1f 20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 2e 2f");
    cr_assert_eq(target.reads, before + 1);
    gives("05 00 ff 0f*61", "05 00 08"); /* the answer does not fit into a packet */
}

Test(cmsis_dap, blocks_reach_memory)
{
    begin(PACKET);
    connect();
    gives("05 00 01 05 00 02 00 20", "05 01 01");
    gives("06 00 02 00 0d 01 02 03 04 05 06 07 08", "06 02 00 01");
    cr_assert_eq(memcmp(target.memory + 0x200, (const uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8}, 8), 0);
    gives("05 00 01 05 00 02 00 20", "05 01 01");
    gives("06 00 02 00 0f", "06 02 00 01 01 02 03 04 05 06 07 08");
    gives("06 00 0f 00 02",
          "06 0f 00 01 77 14 a0 2b 77 14 a0 2b 77 14 a0 2b 77 14 a0 2b 77 14 a0 2b 77 14 a0 2b 77 14 a0 "
          "2b 77 14 a0 2b 77 14 a0 2b 77 14 a0 2b 77 14 a0 2b 77 14 a0 2b 77 14 a0 2b 77 14 a0 2b 77 14 "
          "a0 2b");
    gives("06 00 10 00 0f", "06 00 00 08"); /* the answer does not fit */
    gives("06 00 ff ff 0f", "06 00 00 08");
    gives("06 00 03 00 0d 01 02 03 04 05", "ff");
}

Test(cmsis_dap, repeats_waits_as_often_as_configured)
{
    begin(PACKET);
    connect();
    gives("04 00 03 00 00 00", "04 00");
    gives("05 00 01 05 00 00 00 20", "05 01 01");
    target.waits = 3;
    gives("05 00 01 0f", "05 01 01 00 01 02 03");
    target.waits = 4;
    gives("05 00 01 0f", "05 00 02");
    target.waits = 4;
    gives("05 00 01 0d 00 00 00 00", "05 00 02");
    gives("04 00 ff ff ff ff", "04 00");
    target.waits = 2000;
    gives("05 00 01 0f", "05 00 02");
}

Test(cmsis_dap, waits_for_a_value)
{
    begin(PACKET);
    connect();
    gives("04 00 00 00 02 00", "04 00");
    gives("05 00 03 05 00 00 00 20 20 ff 00 00 00 1f 04 00 00 00", "05 03 01");
    gives("05 00 01 1f 55 00 00 00", "05 00 11");
    gives("05 00 01 1f 55 00 00", "ff");
}

Test(cmsis_dap, transfers_cut_anywhere_do_no_harm)
{
    uint8_t sent[CMSIS_DAP_PACKET_MAX], answer[CMSIS_DAP_PACKET_MAX];
    size_t length = bytes_of("05 00 06 05 00 01 00 20 0d 11 22 33 44 20 ff 00 00 00 0f 0f 0f", sent);
    begin(PACKET);
    connect();
    for (size_t cut = 1; cut < length; cut++) {
        size_t got = ask(sent, cut, answer);
        cr_assert(answer[0] == 0xFF ? got == 1 : answer[0] == 5 && cut >= 19, "cut at %zu", cut);
    }
}

Test(cmsis_dap, fills_a_packet_of_512_bytes)
{
    uint8_t answer[CMSIS_DAP_PACKET_MAX], command[300] = {5, 0, 127};
    begin(512);
    connect();
    gives("05 00 01 05 00 00 00 20", "05 01 01");
    memset(command + 3, 0x0F, 127);
    cr_assert_eq(ask(command, 3 + 127, answer), 3 + 4 * 127);
    for (size_t i = 0; i < 508; i++)
        cr_assert_eq(answer[3 + i], target.memory[i]);
    command[2] = 128;
    command[3 + 127] = 0x0F;
    cr_assert_eq(ask(command, 3 + 128, answer), 3);
    cr_assert_eq(answer[2], 8);
}
