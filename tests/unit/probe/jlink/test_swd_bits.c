/* SPDX-License-Identifier: MIT */
/*
 * Bits of serial wire debug. The expected bits are written by hand from ARM IHI 0031, B4.2, in the order of the wire:
 *
 *   request: start, APnDP, RnW, A[2], A[3], parity, stop, park      acknowledgement: OK 100, WAIT 010, FAULT 001
 *
 * In `wire`, 0 and 1 are clocks that the host drives, and '-' are clocks in which it listens.
 */
#include "probe/jlink/swd_bits.h"

#include <criterion/criterion.h>
#include <string.h>

static struct swd_bits bits;

#define LISTEN_5  "-----"
#define LISTEN_38 "--------------------------------------"

/* Compares the clocks from `at` with the text, and returns the next clock. Spaces are for the reader. */
static size_t is(size_t at, const char *wire)
{
    size_t begin = at;

    for (const char *symbol = wire; *symbol != '\0'; symbol++) {
        unsigned drive = bits.drive[at / 8] >> at % 8 & 1, out = bits.out[at / 8] >> at % 8 & 1;
        char is_now = drive ? (char)('0' + out) : '-';

        if (*symbol == ' ')
            continue;
        cr_assert_eq(is_now, *symbol, "clock %zu of '%s' is %c", at - begin, wire, is_now);
        at++;
    }
    return at;
}

static void one(uint8_t request, uint32_t value, const char *wire)
{
    swd_begin(&bits, SWD_BYTES_MAX);
    cr_assert(swd_add_transfer(&bits, &(struct swd_transfer){request, value}));
    cr_assert_eq(bits.count, 46);
    cr_assert_eq(is(0, wire), 46);
}

Test(swd_bits, each_read_has_its_request)
{
    one(0x02, 0, "1 0 1 00 1 0 1" LISTEN_38); /* DPIDR */
    one(0x06, 0, "1 0 1 10 0 0 1" LISTEN_38); /* CTRL/STAT */
    one(0x0E, 0, "1 0 1 11 1 0 1" LISTEN_38); /* RDBUFF */
    one(0x03, 0, "1 1 1 00 0 0 1" LISTEN_38); /* CSW */
    one(0x07, 0, "1 1 1 10 1 0 1" LISTEN_38); /* TAR */
    one(0x0F, 0, "1 1 1 11 0 0 1" LISTEN_38); /* DRW */
}

Test(swd_bits, each_write_has_its_request_its_data_and_their_parity)
{
    /* ABORT: bits 1 to 4; four ones, parity 0 */
    one(0x00, 0x1E, "1 0 0 00 0 0 1" LISTEN_5 "0111 1000 0000 0000 0000 0000 0000 0000 0");
    /* CTRL/STAT: bits 0, 28 and 30; three ones, parity 1 */
    one(0x04, 0x50000001, "1 0 0 10 1 0 1" LISTEN_5 "1000 0000 0000 0000 0000 0000 0000 1010 1");
    /* SELECT: bits 4 to 7 */
    one(0x08, 0xF0, "1 0 0 01 1 0 1" LISTEN_5 "0000 1111 0000 0000 0000 0000 0000 0000 0");
    /* CSW: 0xA2000012 */
    one(0x01, 0xA2000012, "1 1 0 00 1 0 1" LISTEN_5 "0100 1000 0000 0000 0000 0000 0100 0101 1");
    /* TAR: 0x20000004 */
    one(0x05, 0x20000004, "1 1 0 10 0 0 1" LISTEN_5 "0010 0000 0000 0000 0000 0000 0000 0100 0");
}

Test(swd_bits, transfers_follow_each_other_then_idle_clocks)
{
    size_t at;

    swd_begin(&bits, SWD_BYTES_MAX);
    cr_assert(swd_add_transfer(&bits, &(struct swd_transfer){0x0F, 0}));
    cr_assert(swd_add_transfer(&bits, &(struct swd_transfer){0x0E, 0}));
    swd_end(&bits, 0);
    at = is(0, "1 1 1 11 0 0 1" LISTEN_38);
    at = is(at, "1 0 1 11 1 0 1" LISTEN_38);
    cr_assert_eq(is(at, "0000 0000"), bits.count);
    cr_assert_eq(swd_bytes(&bits), 13); /* 2 * 46 + 8 clocks */
}

Test(swd_bits, an_answer_is_long_enough_no_multiple_of_a_packet_and_unlike_the_last)
{
    for (size_t clocks = 0; clocks < 8 * 520; clocks++) {
        size_t last = (clocks + 8) / 8 + clocks % 4;

        swd_begin(&bits, SWD_BYTES_MAX);
        swd_add_idle(&bits, clocks);
        swd_end(&bits, last);
        cr_assert_neq(swd_bytes(&bits), last);
        cr_assert_geq(bits.count, clocks + 8);
        cr_assert_geq(swd_bytes(&bits) + 1, 10);
        cr_assert_neq((swd_bytes(&bits) + 1) % 64, 0, "%zu clocks", clocks);
    }
}

Test(swd_bits, the_limit_has_room_for_the_end)
{
    for (size_t most = 64; most <= SWD_BYTES_MAX; most++)
        for (size_t last = most - 10; last <= most; last++) {
            swd_begin(&bits, most);
            while (swd_add_transfer(&bits, &(struct swd_transfer){0x0F, 0}))
                ;
            swd_end(&bits, last);
            cr_assert_leq(swd_bytes(&bits), most);
            cr_assert_gt(bits.count + 46 + 24, 8 * most, "%zu bytes have room for another transfer", most);
        }
}

/* ---- answers ---- */

static uint8_t in[16];

/* Makes the bits that the probe reads: `skip` clocks, then the text. */
static void answer(size_t skip, const char *wire)
{
    memset(in, 0, sizeof in);
    for (; *wire != '\0'; wire++) {
        if (*wire == ' ')
            continue;
        if (*wire == '1')
            in[skip / 8] |= (uint8_t)(1u << skip % 8);
        skip++;
    }
}

#define ECHO "11111001" /* the request; the probe sees the first bit of the target in the clock of the turn */

Test(swd_bits, data_are_taken_from_any_place)
{
    for (size_t skip = 0; skip < 16; skip++) {
        uint32_t value = 0;

        answer(skip, ECHO "100 1110 1110 0010 1000 0000 0101 1101 0100 0 1 1"); /* an STM32F4's DPIDR; 14 ones */
        cr_expect_eq(swd_take(in, skip, 0x02, &value), SWD_ACK_OK);
        cr_expect_eq(value, 0x2BA01477, "0x%08x", value);
        answer(skip, ECHO "100 1000 0000 0000 0000 0000 0000 0000 0000 1 1 1");
        cr_expect_eq(swd_take(in, skip, 0x0F, &value), SWD_ACK_OK);
        cr_expect_eq(value, 1);
    }
}

Test(swd_bits, a_wrong_parity_is_noticed)
{
    uint32_t value = 0;

    answer(0, ECHO "100 1000 0000 0000 0000 0000 0000 0000 0000 0 1");
    cr_expect_eq(swd_take(in, 0, 0x0F, &value), SWD_ACK_OK | SWD_ACK_PARITY);
    answer(0, ECHO "100 1000 0000 0000 0000 0000 0000 0000 0001 1 1");
    cr_expect_eq(swd_take(in, 0, 0x0F, &value), SWD_ACK_OK | SWD_ACK_PARITY);
    answer(0, ECHO "100 1 1");
    cr_expect_eq(swd_take(in, 0, 0x05, &value), SWD_ACK_OK, "a write has no data to check");
}

Test(swd_bits, each_acknowledgement_has_its_meaning)
{
    static const struct {
        const char *wire;
        unsigned expected;
    } rows[] = {{ECHO "100", 1}, {ECHO "010", 2}, {ECHO "001", 4}, {ECHO "111", 7},
                {ECHO "000", 7}, {ECHO "110", 7}, {ECHO "101", 7}, {ECHO "011", 7}};
    uint32_t value = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        answer(3, rows[i].wire);
        cr_expect_eq(swd_take(in, 3, 0x0F, &value), rows[i].expected, "%s", rows[i].wire);
    }
}
