/* SPDX-License-Identifier: MIT */
/* From the text of an option to its value. Knows no option. */
#include "options/values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

bool option_u32(const char *text, uint32_t *value, char **end)
{
    unsigned long long number;

    errno = 0;
    if (*text < '0' || *text > '9') /* strtoull() takes signs and blanks */
        return false;
    number = strtoull(text, end, 0);
    if (errno || *end == text || number > UINT32_MAX)
        return false;
    *value = (uint32_t)number;
    return true;
}

uint32_t option_address(const struct argp_state *state, const char *text)
{
    uint32_t value = 0;
    char *end;

    if (!option_u32(text, &value, &end) || *end || value % 4 != 0)
        argp_error(state, "'%s' is not an address: give a multiple of 4 such as 0x20000400", text);
    return value;
}

uint32_t option_byte_address(const struct argp_state *state, const char *name, const char *text)
{
    uint32_t value = 0;
    char *end;

    if (!option_u32(text, &value, &end) || *end)
        argp_error(state, "--%s: '%s' is not an address such as 0x20000400", name, text);
    return value;
}

double option_positive(const struct argp_state *state, const char *name, const char *text)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end || !isfinite(value) || value <= 0)
        argp_error(state, "--%s: '%s' is not a number above 0", name, text);
    return value;
}

uint64_t option_count(const struct argp_state *state, const char *name, const char *text)
{
    char *end;
    unsigned long long value;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (errno || *text < '0' || *text > '9' || *end || value == 0)
        argp_error(state, "--%s: '%s' is not a number above 0", name, text);
    return value;
}
