/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "top/amount.h"

static char text[AMOUNT_BYTES];

static const char *at_168_mhz(double seconds)
{
    return amount_ticks(text, AMOUNT_EXACT, seconds * 168e6, 168e6);
}

Test(amount, times_have_at_most_three_digits)
{
    cr_assert_str_eq(at_168_mhz(24e-6), "24us");
    cr_assert_str_eq(at_168_mhz(0.41e-3), "410us");
    cr_assert_str_eq(at_168_mhz(7.6e-3), "7.60ms");
    cr_assert_str_eq(at_168_mhz(12.5), "12.5s");
}

Test(amount, rounding_never_adds_a_digit)
{
    cr_assert_str_eq(at_168_mhz(999.6e-6), "1.00ms");
    cr_assert_str_eq(at_168_mhz(9.9951e-3), "10.0ms");
    cr_assert_str_eq(amount_count(text, AMOUNT_EXACT, 9.97), "10");
    cr_assert_str_eq(amount_percent(text, AMOUNT_EXACT, 99.96), "100");
}

Test(amount, unknown_is_a_dash)
{
    cr_assert_str_eq(amount_count(text, AMOUNT_AT_LEAST, -1), "-");
    cr_assert_str_eq(amount_percent(text, AMOUNT_ABOUT, NAN), "-");
    cr_assert_str_eq(amount_ticks(text, AMOUNT_EXACT, -1, 1e6), "-");
}

Test(amount, a_number_that_does_not_fit_is_a_dash_and_never_another_number)
{
    cr_assert_str_eq(amount_percent(text, AMOUNT_EXACT, 1e20), "-");
    cr_assert_str_eq(amount_ticks(text, AMOUNT_EXACT, 1e308, 1e-6), "-");
    cr_assert_str_eq(amount_count(text, AMOUNT_AT_LEAST, 1e301), "-");
}

Test(amount, a_bound_stays_true_when_it_is_rounded)
{
    cr_assert_str_eq(amount_count(text, AMOUNT_AT_LEAST, 20999), ">=20k");
    cr_assert_str_eq(amount_ticks(text, AMOUNT_AT_LEAST, 1999, 1e6), ">=1.99ms");
    cr_assert_str_eq(amount_ticks(text, AMOUNT_AT_MOST, 1991, 1e6), "<=2.00ms");
    cr_assert_str_eq(amount_ticks(text, AMOUNT_AT_MOST, 9991, 1e6), "<=10.0ms");
    cr_assert_str_eq(amount_percent(text, AMOUNT_AT_LEAST, 9.96), ">=9.9");
    cr_assert_str_eq(amount_percent(text, AMOUNT_AT_LEAST, 99.96), ">=99");
}

Test(amount, any_number_fits_with_its_sign)
{
    for (double number = 1e-12; number < 1e20; number *= 1.01) {
        cr_assert_leq(strlen(amount_count(text, AMOUNT_AT_LEAST, number)), 11);
        cr_assert_leq(strlen(amount_ticks(text, AMOUNT_AT_LEAST, number, 1e6)), 15, "%s", text);
    }
    for (double number = 1e-3; number < 1e15; number *= 1.01) {
        cr_assert_leq(strlen(amount_count(text, AMOUNT_AT_LEAST, number)), 6);
        cr_assert_leq(strlen(amount_ticks(text, AMOUNT_EXACT, number, 1e6)), 7, "%s", text);
    }
    for (double number = 1e-3; number < 1e9; number *= 1.01) {
        cr_assert_leq(strlen(amount_ticks(text, AMOUNT_AT_LEAST, number, 1e6)), 8, "%s", text);
        cr_assert_leq(strlen(amount_percent(text, AMOUNT_ABOUT, number < 100 ? number : 100)), 4, "%s", text);
    }
}
