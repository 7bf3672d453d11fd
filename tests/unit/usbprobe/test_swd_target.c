/* SPDX-License-Identifier: MIT */
/*
 * A debug port clock by clock, against bits written by hand from ARM IHI 0031, B4.2. In `host`, 0 and 1 are clocks that
 * the host drives, and '-' are clocks in which it listens. `expected` has the levels of the line in these clocks, from
 * the first '-' on; '?' is any level.
 */
#include "swd_target.h"

#include <criterion/criterion.h>
#include <string.h>

#include "usbprobe/fake_target.h"

#define BITS_MAX 1024

static struct fake_target behind;
static struct swd_target target;
static uint8_t drive[BITS_MAX / 8], out[BITS_MAX / 8], in[BITS_MAX / 8];

static void begin(void)
{
    memset(&behind, 0, sizeof behind);
    const struct debug_target port = fake_target(&behind);
    memset(behind.memory, 0, sizeof behind.memory);
    swd_target_init(&target, &port);
}

static void clock_it(const char *host, const char *expected)
{
    size_t count = 0;
    memset(drive, 0, sizeof drive);
    memset(out, 0, sizeof out);
    for (const char *symbol = host; *symbol; symbol++) {
        if (*symbol == ' ')
            continue;
        if (*symbol != '-')
            drive[count / 8] |= (uint8_t)(1u << count % 8);
        if (*symbol == '1')
            out[count / 8] |= (uint8_t)(1u << count % 8);
        count++;
    }
    swd_target_clock(&target, drive, out, in, count);
    for (size_t at = 0; at < count; at++) {
        if (drive[at / 8] >> at % 8 & 1)
            continue;
        while (*expected == ' ')
            expected++;
        char level = (char)('0' + (in[at / 8] >> at % 8 & 1));
        cr_assert(*expected == '?' || *expected == level, "clock %zu is %c: %s", at, level, expected);
        expected++;
    }
    cr_assert_eq(*expected, '\0');
}

#define ONES_50   "1111111111 1111111111 1111111111 1111111111 1111111111"
#define LISTEN_38 " - --- -------- -------- -------- -------- - -"
#define LISTEN_5  " - --- -"
#define ANY_DATA  "???????? ???????? ???????? ???????? ? ? ?"
#define DPIDR     "10100101" LISTEN_38
#define DPIDR_IS  "100 11101110 00101000 00000101 11010100 0 1 1" /* 0x2BA01477 */
/* ABORT: clears all errors. CTRL/STAT: both power requests, without and with ORUNDETECT. */
#define CLEAR     "10000001" LISTEN_5 "01111000 00000000 00000000 00000000 0"
#define POWER     "10010101" LISTEN_5 "00000000 00000000 00000000 00001010 0"
#define OVERRUN   "10010101" LISTEN_5 "10000000 00000000 00000000 00001010 1"
#define WRITTEN   "100 1 1"
#define CSW       "11000101" LISTEN_5 "01001000 00000000 00000000 01000101 1" /* 0xA2000012 */
#define TAR       "11010001" LISTEN_5 "00000000 00000000 00000000 00000100 1" /* 0x20000000 */
#define TAR_WRONG "11010001" LISTEN_5 "00000000 00000000 00000000 00000010 1" /* 0x40000000 */
#define DRW       "11111001" LISTEN_38
#define RDBUFF    "10111101" LISTEN_38

static void connect(const char *power)
{
    begin();
    clock_it(ONES_50 "00" DPIDR, DPIDR_IS);
    clock_it(power, WRITTEN);
    clock_it(CSW, WRITTEN);
}

Test(swd_target, it_is_silent_until_a_line_reset_then_says_who_it_is)
{
    begin();
    clock_it(DPIDR, "111 " ANY_DATA);
    clock_it("1111111111 00" DPIDR, "111 " ANY_DATA);
    clock_it(ONES_50 "00" DPIDR, DPIDR_IS);
    cr_expect_eq(behind.connects, 1);
}

Test(swd_target, a_request_with_a_wrong_bit_silences_it)
{
    static const char *const wrong[] = {"10100001", "10100111", "10100100"}; /* parity, stop, park */
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        begin();
        clock_it(ONES_50 "00" DPIDR, DPIDR_IS);
        clock_it(wrong[i], "");
        clock_it("00000000" DPIDR, "111 " ANY_DATA);
        clock_it(ONES_50 "00" DPIDR, DPIDR_IS);
    }
}

Test(swd_target, reads_of_the_access_port_are_posted)
{
    connect(POWER);
    behind.memory[0] = 0x05;
    behind.memory[4] = 0x80;
    clock_it(TAR, WRITTEN);
    clock_it(DRW, "100 " ANY_DATA);
    clock_it(DRW, "100 10100000 00000000 00000000 00000000 0 1 1");
    clock_it(RDBUFF, "100 00000001 00000000 00000000 00000000 1 1 1");
    cr_expect_eq(behind.writes, 0);
}

Test(swd_target, a_bus_fault_shows_in_the_next_acknowledgement)
{
    connect(OVERRUN);
    clock_it(TAR_WRONG, WRITTEN);
    clock_it(DRW RDBUFF, "100 " ANY_DATA "001 " ANY_DATA);
    clock_it(RDBUFF, "001 " ANY_DATA);
    clock_it(CLEAR, WRITTEN);
    clock_it(RDBUFF, "100 " ANY_DATA);
}

Test(swd_target, without_overrun_detection_there_are_no_data_after_wait)
{
    connect(POWER);
    clock_it(TAR, WRITTEN);
    behind.waits = 1;
    clock_it("11111001 - --- -", "010 1 1");
    clock_it(DRW, "100 " ANY_DATA);
    behind.waits = 1;
    clock_it(DRW, "010 1 1 11111111 11111111 11111111 11111111 1"); /* the high line is a wrong request */
    clock_it("00" DPIDR, "111 " ANY_DATA);
}

Test(swd_target, with_overrun_detection_wait_is_an_error_until_it_is_cleared)
{
    connect(OVERRUN);
    clock_it(TAR, WRITTEN);
    behind.waits = 1;
    clock_it(DRW, "010 " ANY_DATA);
    clock_it(DRW, "001 " ANY_DATA);
    clock_it(DPIDR, DPIDR_IS);
    clock_it("10110001" LISTEN_38, "100 11000000 00000000 00000000 00001111 0 1 1"); /* CTRL/STAT: STICKYORUN */
    clock_it(CLEAR, WRITTEN);
    clock_it(DRW, "100 " ANY_DATA);
}

Test(swd_target, data_with_a_wrong_parity_are_not_written)
{
    connect(POWER);
    clock_it("11010001" LISTEN_5 "00000000 00000000 00000000 00000100 0", WRITTEN); /* TAR */
    cr_expect_eq(target.port.tar, 0);
    clock_it("11010001 - --- -", "001 1 1");
    clock_it(CLEAR, WRITTEN);
    clock_it(TAR, WRITTEN);
    cr_expect_eq(target.port.tar, 0x20000000);
}

Test(swd_target, many_reads_cost_one_access_to_memory)
{
    connect(OVERRUN);
    behind.memory[8] = 1;
    clock_it(TAR, WRITTEN);
    behind.reads = 0;
    clock_it(DRW DRW DRW DRW RDBUFF, "100 " ANY_DATA "100 00000000 00000000 00000000 00000000 0 1 1"
                                     "100 00000000 00000000 00000000 00000000 0 1 1"
                                     "100 10000000 00000000 00000000 00000000 1 1 1"
                                     "100 00000000 00000000 00000000 00000000 0 1 1");
    cr_expect_eq(behind.reads, 1);
    cr_expect_eq(target.port.tar, 0x20000010);
}
