/* SPDX-License-Identifier: MIT */
/* Writes an amount as two or three digits and a unit. Such a text fits into a column and can be read while it
 * changes. */
#include "top/amount.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define UNLIMITED  INFINITY
#define DIGITS_MAX 1e18 /* a larger scaled number may not fit in 64 bits */

struct scale {
    double limit; /* the scaled and rounded number must be below this */
    double factor;
    unsigned decimals;
    const char *unit;
};

static const struct scale counts[] = {
    {10, 1, 1, ""},        {100000, 1, 0, ""},    {10000, 1e-3, 0, "k"},
    {10000, 1e-6, 0, "M"}, {10000, 1e-9, 0, "G"}, {UNLIMITED, 1e-12, 0, "T"},
};

/* For numbers after a sign of two characters: these numbers have one character less. */
static const struct scale count_bounds[] = {
    {10, 1, 1, ""},       {10000, 1, 0, ""},    {1000, 1e-3, 0, "k"},
    {1000, 1e-6, 0, "M"}, {1000, 1e-9, 0, "G"}, {UNLIMITED, 1e-12, 0, "T"},
};

static const struct scale seconds[] = {
    {1000, 1e9, 0, "ns"}, {1000, 1e6, 0, "us"}, {10, 1e3, 2, "ms"},
    {100, 1e3, 1, "ms"},  {1000, 1e3, 0, "ms"}, {10, 1, 2, "s"},
    {100, 1, 1, "s"},     {10000, 1, 0, "s"},   {UNLIMITED, 1 / 3600., 0, "h"},
};

static const struct scale ticks_alone[] = {
    {10000, 1, 0, "t"},
    {10000, 1e-3, 0, "kt"},
    {10000, 1e-6, 0, "Mt"},
    {UNLIMITED, 1e-9, 0, "Gt"},
};

static const struct scale percents[] = {{100, 1, 1, ""}, {UNLIMITED, 1, 0, ""}};
static const struct scale inexact_percents[] = {{10, 1, 1, ""}, {UNLIMITED, 1, 0, ""}}; /* these follow a sign */

/* Rounds a lower bound down and an upper bound up, so that the bound stays true. */
static double round_to(double number, unsigned decimals, enum amount_sign sign)
{
    double power = decimals == 2 ? 100 : decimals == 1 ? 10 : 1, scaled = number * power, whole;

    if (!(scaled < DIGITS_MAX))
        return number;
    whole = (double)(uint64_t)(sign == AMOUNT_AT_LEAST || sign == AMOUNT_AT_MOST ? scaled : scaled + 0.5);
    if (sign == AMOUNT_AT_MOST && whole < scaled)
        whole++;
    return whole / power;
}

static const char *write(char *text, enum amount_sign sign, double number, const struct scale *scale)
{
    static const char *const signs[] = {
        [AMOUNT_EXACT] = "",
        [AMOUNT_AT_LEAST] = ">=",
        [AMOUNT_AT_MOST] = "<=",
        [AMOUNT_ABOUT] = "~",
    };
    double rounded;
    int length;

    if (!(number >= 0 && number < UNLIMITED)) {
        snprintf(text, AMOUNT_BYTES, "-");
        return text;
    }
    while ((rounded = round_to(number * scale->factor, scale->decimals, sign)) >= scale->limit)
        scale++;
    length = snprintf(text, AMOUNT_BYTES, "%s%.*f%s", signs[sign], (int)scale->decimals, rounded, scale->unit);
    if (length >= AMOUNT_BYTES) /* a cut text would show a wrong number, so show no number */
        snprintf(text, AMOUNT_BYTES, "-");
    return text;
}

const char *amount_count(char text[static AMOUNT_BYTES], enum amount_sign sign, double count)
{
    static const struct scale whole[] = {{UNLIMITED, 1, 0, ""}};
    bool is_whole = count >= 0 && count < 10 && count == (double)(unsigned)count;

    if (is_whole)
        return write(text, sign, count, whole);
    return write(text, sign, count, sign == AMOUNT_AT_LEAST || sign == AMOUNT_AT_MOST ? count_bounds : counts);
}

const char *amount_percent(char text[static AMOUNT_BYTES], enum amount_sign sign, double percent)
{
    return write(text, sign, percent, sign == AMOUNT_EXACT ? percents : inexact_percents);
}

const char *amount_ticks(char text[static AMOUNT_BYTES], enum amount_sign sign, double ticks, double tick_hz)
{
    if (!(tick_hz > 0))
        return write(text, sign, ticks, ticks_alone);
    return write(text, sign, ticks >= 0 ? ticks / tick_hz : ticks, seconds);
}
