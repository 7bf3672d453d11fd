/* SPDX-License-Identifier: MIT */
/* Numbers with up to six digits, times in the largest unit in which they are at least 1. */
#include "figures/quantity.h"

#include <math.h>
#include <stdio.h>

static void show_seconds(char out[static QUANTITY_BYTES], double seconds)
{
    static const struct {
        const char *name;
        double per_second;
    } units[] = {{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}};
    size_t i = 0;

    while (i < 3 && seconds != 0 && fabs(seconds) * units[i].per_second < 1)
        i++;
    snprintf(out, QUANTITY_BYTES, "%.6g %s", seconds * units[i].per_second, units[i].name);
}

const char *quantity_text(char out[static QUANTITY_BYTES], double number, enum txtap_unit unit, double tick_hz)
{
    if (unit == TXTAP_UNIT_TICKS && tick_hz > 0)
        show_seconds(out, number / tick_hz);
    else if (unit == TXTAP_UNIT_TICKS)
        snprintf(out, QUANTITY_BYTES, "%.15g ticks", number);
    else if (unit == TXTAP_UNIT_PERCENT)
        snprintf(out, QUANTITY_BYTES, "%.6g%%", number);
    else if (unit == TXTAP_UNIT_BYTES)
        snprintf(out, QUANTITY_BYTES, "%.15g bytes", number);
    else
        snprintf(out, QUANTITY_BYTES, "%.15g", number);
    return out;
}

void quantity_put(FILE *out, double number, const char *otherwise)
{
    if (isfinite(number))
        fprintf(out, "%.17g", number);
    else
        fputs(otherwise, out);
}

void quantity_put_member(FILE *out, const char *key, double number)
{
    fprintf(out, ",\"%s\":", key);
    quantity_put(out, number, "null");
}
