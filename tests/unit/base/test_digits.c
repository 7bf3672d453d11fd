/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <criterion/criterion.h>
#include <string.h>

Test(digits, have_a_value_and_other_characters_do_not)
{
    const char *digits = "0123456789abcdef";

    for (int byte = 0; byte < 256; byte++) {
        char lower = (char)(byte >= 'A' && byte <= 'F' ? byte + 32 : byte);
        const char *found = lower != '\0' ? strchr(digits, lower) : NULL;

        cr_assert_eq(digit_value((char)byte), found != NULL ? (unsigned)(found - digits) : 16u, "byte %d", byte);
    }
}

Test(digits, make_32_bit_numbers)
{
    static const struct {
        const char *text;
        bool is_number;
        uint32_t number;
    } cases[] = {
        {"0", true, 0},
        {"007", true, 7},
        {"4294967295", true, UINT32_MAX},
        {"4294967296", false, 0},
        {"99999999999999999999999", false, 0},
        {"0xFFFFffff", true, UINT32_MAX},
        {"0X1a", true, 26},
        {"0x100000000", false, 0},
        {"", false, 0},
        {"0x", false, 0},
        {"x1", false, 0},
        {"1a", false, 0},
        {"0x1g", false, 0},
        {"-1", false, 0},
        {"+1", false, 0},
        {" 1", false, 0},
        {"1 ", false, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t number = 0;

        cr_assert_eq(digits_number(cases[i].text, strlen(cases[i].text), &number), cases[i].is_number, "'%s'",
                     cases[i].text);
        cr_assert_eq(number, cases[i].number, "'%s'", cases[i].text);
    }
}

Test(digits, end_where_the_length_says)
{
    uint32_t number = 0;

    cr_assert(digits_number("123", 2, &number));
    cr_assert_eq(number, 12);
}
