/* SPDX-License-Identifier: MIT */
/* The forms of values that all tables have in common. */
#include "tables/table_run.h"

#include <time.h>

static bool is_time(const struct table_run *run, const struct txtap_figure *figure)
{
    return figure->unit == TXTAP_UNIT_TICKS && run->figures->tick_hz > 0;
}

const char *table_unit(const struct table_run *run, const struct txtap_figure *figure)
{
    return is_time(run, figure) ? "seconds" : txtap_unit_name(figure->unit);
}

double table_divisor(const struct table_run *run, const struct txtap_figure *figure)
{
    return is_time(run, figure) ? run->figures->tick_hz : 1;
}

const char *table_time(char out[static TABLE_TIME_BYTES], uint64_t unix_us)
{
    time_t seconds = (time_t)(unix_us / 1000000);
    struct tm parts;

    *out = '\0';
    if (unix_us > 0 && gmtime_r(&seconds, &parts) != NULL)
        strftime(out, TABLE_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return out;
}

const char *table_build(const struct table_run *run)
{
    return run->file != NULL ? run->file->build : "";
}

const char *table_firmware(const struct table_run *run)
{
    return run->file != NULL ? run->file->firmware : "";
}
