/* SPDX-License-Identifier: MIT */
/* Numbers with a fraction as decimal text, without floating point. */
#include "format/line.h"

#include <inttypes.h>
#include <stdio.h>

#define DIGITS_MAX 9 /* significant digits of a binary32 */

void line_scaled(struct line *line, uint32_t value, unsigned decimals)
{
    char fraction[16];
    uint32_t unit = 1;

    for (unsigned i = 0; i < decimals && i < 9; i++)
        unit *= 10;
    line_decimal(line, value / unit);
    if (decimals == 0)
        return;
    (void)snprintf(fraction, sizeof(fraction), ".%0*" PRIu32, (int)decimals, value % unit);
    line_text(line, fraction);
}

/* 0.digits times 10^point: with zeros if few are needed, otherwise with an exponent. */
static void write_digits(struct line *line, const char *digits, int point)
{
    int count = (int)strlen(digits);
    char text[40];

    if (point > -4 && point <= 0)
        (void)snprintf(text, sizeof(text), "0.%.*s%s", -point, "000", digits);
    else if (point > 0 && point <= DIGITS_MAX && count <= point)
        (void)snprintf(text, sizeof(text), "%s%.*s", digits, point - count, "00000000");
    else if (point > 0 && point <= DIGITS_MAX)
        (void)snprintf(text, sizeof(text), "%.*s.%s", point, digits, digits + point);
    else
        (void)snprintf(text, sizeof(text), "%.1s%s%se%d", digits, count > 1 ? "." : "", digits + 1, point - 1);
    line_text(line, text);
}

/* Takes the digits from %e, but not the decimal point, which depends on the locale. */
void line_float(struct line *line, uint32_t bits)
{
    char printed[32], digits[DIGITS_MAX + 1] = "";
    int exponent = 0, sign = 1, count = 0;
    const char *at = printed;
    float value;

    memcpy(&value, &bits, sizeof(value));
    (void)snprintf(printed, sizeof(printed), "%.*e", DIGITS_MAX - 1, (double)value);
    for (; *at != 'e' && *at != '\0'; at++) {
        if (*at >= '0' && *at <= '9' && count < DIGITS_MAX)
            digits[count++] = *at;
    }
    for (; *at != '\0'; at++) {
        if (*at == '-')
            sign = -1;
        else if (*at >= '0' && *at <= '9')
            exponent = 10 * exponent + (*at - '0');
    }
    while (count > 1 && digits[count - 1] == '0')
        digits[--count] = '\0';
    if (bits >> 31 != 0)
        line_text(line, "-");
    write_digits(line, digits, sign * exponent + 1);
}
