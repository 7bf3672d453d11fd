/* SPDX-License-Identifier: MIT */
#include "format/line.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

static char room[LINE_ROOM_BYTES];
static struct line line;

static void set_up(void)
{
    memset(room, '#', sizeof(room));
    line_start(&line, room);
}

TestSuite(line, .init = set_up);

/* Returns the line so far, and starts a new line. */
static const char *built(void)
{
    static char text[LINE_ROOM_BYTES + 1];
    size_t length = (size_t)(line.at - room);

    memcpy(text, room, length);
    text[length] = '\0';
    line_start(&line, room);
    return text;
}

static void assert_decimal(uint64_t value)
{
    char expected[32];

    snprintf(expected, sizeof(expected), "%" PRIu64, value);
    line_decimal(&line, value);
    cr_assert_str_eq(built(), expected);
    snprintf(expected, sizeof(expected), "%12" PRIu64, value);
    line_decimal_right(&line, 0, value, 12);
    cr_assert_str_eq(built(), expected);
}

Test(line, writes_decimals_as_printf_does)
{
    uint64_t value = 1;

    for (uint64_t small = 0; small < 200000; small++)
        assert_decimal(small);
    for (int digits = 1; digits < 20; digits++, value *= 10) {
        assert_decimal(value - 1);
        assert_decimal(value);
        assert_decimal(value + 1);
    }
    assert_decimal(UINT64_MAX);
    for (int i = 0; i < 200000; i++) {
        value = value * UINT64_C(6364136223846793005) + 1442695040888963407;
        assert_decimal(value >> (i % 64));
    }
}

Test(line, writes_hexadecimals_as_printf_does)
{
    uint32_t value = 1;

    for (int i = 0; i < 200000; i++) {
        char expected[32];
        uint32_t shifted = value >> (i % 33 == 32 ? 31 : i % 32);
        unsigned digits = 1 + (unsigned)i % 8;

        snprintf(expected, sizeof(expected), "0x%0*" PRIx32, (int)digits, shifted);
        line_hex(&line, shifted, digits);
        cr_assert_str_eq(built(), expected);
        value = value * 1664525u + 1013904223u;
    }
    line_hex(&line, 0, 1);
    cr_assert_str_eq(built(), "0x0");
}

Test(line, joins_the_words_of_an_event_with_commas)
{
    static const uint32_t words[4] = {0, 7, 4294967295u, 100000000};

    line_decimals(&line, words);
    cr_assert_str_eq(built(), "0,7,4294967295,100000000");
}

Test(line, puts_signs_before_numbers_and_blanks_before_signs)
{
    line_decimal_right(&line, '+', 12, 6);
    cr_assert_str_eq(built(), "   +12");
    line_decimal_right(&line, '+', 123456, 6);
    cr_assert_str_eq(built(), "+123456");
    line_seconds_right(&line, '+', 1500, 1000, 12);
    cr_assert_str_eq(built(), "   +1.500000");
    line_seconds_right(&line, 0, 1, 1e6, 0);
    cr_assert_str_eq(built(), "0.000001");
}

/* For each kind of part, the buffer has just enough room, or one byte too few. */
Test(line, leaves_out_parts_that_do_not_fit_and_writes_nothing_past_its_end)
{
    static const char piece[64] = "a piece of text of forty-eight bytes, remembered";
    static const uint32_t words[4] = {1, 2, 3, 4};

    for (size_t left = 0; left < 200; left++) {
        for (int part = 0; part < 9; part++) {
            char guarded[LINE_ROOM_BYTES + 16];
            struct line full;

            memset(guarded, '#', sizeof(guarded));
            line_start(&full, guarded);
            full.at = full.end - left;
            switch (part) {
            case 0:
                line_decimal(&full, UINT64_MAX);
                break;
            case 1:
                line_decimal_right(&full, '+', 1, 60);
                break;
            case 2:
                line_seconds_right(&full, '+', UINT64_MAX, 1, 60);
                break;
            case 3:
                line_hex(&full, UINT32_MAX, 8);
                break;
            case 4:
                line_padded(&full, piece, 48, 48);
                break;
            case 5:
                line_blanks(&full, 31);
                break;
            case 6:
                line_json(&full, "\033\xc3\xa9\"\xff plain");
                break;
            case 7:
                line_terminal(&full, "\033\xc3\xa9\"\xff plain");
                break;
            default:
                line_decimals(&full, words);
                break;
            }
            cr_assert(full.at <= full.end, "part %d", part);
            for (size_t i = LINE_ROOM_BYTES; i < sizeof(guarded); i++)
                cr_assert_eq(guarded[i], '#', "part %d with %zu left", part, left);
        }
    }
}
