/* SPDX-License-Identifier: MIT */
/* Two or three digits and a letter: what a column has room for, and what one can read while it changes. */
#include "top/amount.h"

#include <stddef.h>
#include <stdio.h>

struct scale {
    double below; /* for numbers below this, which is where rounding would give one digit more */
    double factor;
    const char *format;
};

static const struct scale counts[] = {
    {9.95, 1, "%.1f"},        {99999.5, 1, "%.0f"},      {9.995e6, 1e-3, "%.0fk"},
    {9.995e9, 1e-6, "%.0fM"}, {9.995e12, 1e-9, "%.0fG"}, {1e300, 1e-12, "%.0fT"},
};

static const struct scale seconds[] = {
    {999.5e-9, 1e9, "%.0fn"}, {999.5e-6, 1e6, "%.0fu"}, {9.995e-3, 1e3, "%.2fm"},
    {99.95e-3, 1e3, "%.1fm"}, {999.5e-3, 1e3, "%.0fm"}, {9.995, 1, "%.2fs"},
    {99.95, 1, "%.1fs"},      {99999.5, 1, "%.0fs"},    {1e300, 1 / 3600., "%.0fh"},
};

static const struct scale ticks_alone[] = {
    {9999.5, 1, "%.0ft"},
    {9.995e6, 1e-3, "%.0fkt"},
    {9.995e9, 1e-6, "%.0fMt"},
    {1e300, 1e-9, "%.0fGt"},
};

static const struct scale percents[] = {{99.95, 1, "%.1f"}, {1e300, 1, "%.0f"}};

static const char *write(char *text, enum amount_sign sign, double number, const struct scale *scale, size_t scales)
{
    static const char *const signs[] = {
        [AMOUNT_EXACT] = "",
        [AMOUNT_AT_LEAST] = ">=",
        [AMOUNT_AT_MOST] = "<=",
        [AMOUNT_ABOUT] = "~",
    };
    size_t i = 0;
    int used;

    if (!(number >= 0))
        return snprintf(text, AMOUNT_BYTES, "-"), text;
    while (i + 1 < scales && number >= scale[i].below)
        i++;
    used = snprintf(text, AMOUNT_BYTES, "%s", signs[sign]);
    snprintf(text + used, AMOUNT_BYTES - (size_t)used, scale[i].format, number * scale[i].factor);
    return text;
}

#define SCALES(table) (table), sizeof(table) / sizeof *(table)

const char *amount_count(char text[static AMOUNT_BYTES], enum amount_sign sign, double count)
{
    static const struct scale whole[] = {{10, 1, "%.0f"}};

    if (count >= 0 && count < 10 && count == (double)(unsigned)count)
        return write(text, sign, count, SCALES(whole));
    return write(text, sign, count, SCALES(counts));
}

const char *amount_percent(char text[static AMOUNT_BYTES], enum amount_sign sign, double percent)
{
    return write(text, sign, percent, SCALES(percents));
}

const char *amount_ticks(char text[static AMOUNT_BYTES], enum amount_sign sign, double ticks, double tick_hz)
{
    if (!(tick_hz > 0))
        return write(text, sign, ticks, SCALES(ticks_alone));
    return write(text, sign, ticks >= 0 ? ticks / tick_hz : ticks, SCALES(seconds));
}
