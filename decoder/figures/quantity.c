/* SPDX-License-Identifier: MIT */
/* Numbers with their units, as people read them: three digits, times in the largest unit in which they are at least 1.
 */
#include "txtap/inner/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static double size_of(double number)
{
    return number < 0 ? -number : number;
}

static bool is_whole(double number)
{
    return size_of(number) >= 1e15 || number == (double)(int64_t)number;
}

static void duration(char out[static QUANTITY_SHORT_BYTES], double ticks, double tick_hz)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    double seconds = tick_hz > 0 ? ticks / tick_hz : 0;
    size_t i = 0;

    if (tick_hz <= 0 || ticks == 0) {
        snprintf(out, QUANTITY_SHORT_BYTES, is_whole(ticks) ? "%.0f" : "%.1f", ticks);
        return;
    }
    while (i < 3 && size_of(seconds) < units[i].unit)
        i++;
    seconds /= units[i].unit;
    snprintf(out, QUANTITY_SHORT_BYTES, "%.*f%s",
             size_of(seconds) < 10    ? 2
             : size_of(seconds) < 100 ? 1
                                      : 0,
             seconds, units[i].name);
}

char *quantity_short(char out[static QUANTITY_SHORT_BYTES], double number, enum txtap_unit unit, double tick_hz)
{
    if (unit == TXTAP_UNIT_TICKS)
        duration(out, number, tick_hz);
    else if (unit == TXTAP_UNIT_PERCENT)
        snprintf(out, QUANTITY_SHORT_BYTES, "%.2f%%", number);
    else if (unit == TXTAP_UNIT_NUMBER)
        snprintf(out, QUANTITY_SHORT_BYTES, "%.6g", number);
    else
        snprintf(out, QUANTITY_SHORT_BYTES, is_whole(number) ? "%.0f" : "%.2f", number);
    return out;
}

char *place_text(char out[static PLACE_BYTES], const struct txtap_place *place, double tick_hz)
{
    if (tick_hz > 0)
        snprintf(out, PLACE_BYTES, "event %" PRIu64 " at %.6f s", place->seq, (double)place->ticks / tick_hz);
    else
        snprintf(out, PLACE_BYTES, "event %" PRIu64 " at tick %" PRIu64, place->seq, place->ticks);
    return out;
}
