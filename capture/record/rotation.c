/* SPDX-License-Identifier: MIT */
/* Names the next file, and says when it begins. Opens none. */
#include "record/rotation.h"

#include <stdio.h>

/* As tcpdump's: as many digits as the last number has, so that names sort. None for one file, or for any number. */
static int digits(uint32_t count)
{
    int digits = 0;

    for (uint32_t last = count > 0 ? count - 1 : 0; last > 0; last /= 10)
        digits++;
    return digits;
}

static enum txtap_status make_name(struct rotation *rotation)
{
    char path[PATH_MAX];
    struct tm when;
    int length, width = rotation->file_bytes > 0 ? digits(rotation->file_count) : 0;

    if (rotation->file_us > 0) {
        if (!localtime_r(&rotation->begun_unix, &when) || strftime(path, sizeof path, rotation->path, &when) == 0)
            return TXTAP_ERROR_USAGE;
    } else if (snprintf(path, sizeof path, "%s", rotation->path) >= (int)sizeof path) {
        return TXTAP_ERROR_USAGE;
    }
    if (rotation->part == 0 && width == 0)
        length = snprintf(rotation->name, sizeof rotation->name, "%s", path);
    else
        length = snprintf(rotation->name, sizeof rotation->name, "%s%0*u", path, width, rotation->part);
    return length < (int)sizeof rotation->name ? TXTAP_OK : TXTAP_ERROR_USAGE;
}

enum txtap_status rotation_begin(struct rotation *rotation, uint64_t now_us, uint64_t unix_us)
{
    rotation->begun_us = now_us;
    rotation->begun_unix = (time_t)(unix_us / 1000000);
    rotation->part = rotation->times = 0;
    return make_name(rotation);
}

bool rotation_is_full(const struct rotation *rotation, uint64_t bytes)
{
    return rotation->file_bytes > 0 && bytes > rotation->file_bytes;
}

enum txtap_status rotation_next_part(struct rotation *rotation)
{
    rotation->part++;
    /* Together with -G the number of files only says how many digits the names have. */
    if (rotation->file_count > 0 && rotation->file_us == 0 && rotation->part >= rotation->file_count)
        rotation->part = 0;
    return make_name(rotation);
}

bool rotation_is_due(const struct rotation *rotation, uint64_t now_us)
{
    return rotation->file_us > 0 && now_us - rotation->begun_us >= rotation->file_us;
}

enum txtap_status rotation_next_time(struct rotation *rotation, uint64_t now_us, uint64_t unix_us)
{
    rotation->times++;
    if (rotation->file_bytes == 0 && rotation->file_count > 0 && rotation->times >= rotation->file_count)
        return TXTAP_END;
    rotation->begun_us += rotation->file_us; /* not now: delays must not add up */
    if (rotation_is_due(rotation, now_us))
        rotation->begun_us = now_us;
    /* Named after the time of this call, a file could get the name of the one before, and overwrite it. */
    rotation->begun_unix = (time_t)((unix_us - (now_us - rotation->begun_us)) / 1000000);
    rotation->part = 0;
    return make_name(rotation);
}
