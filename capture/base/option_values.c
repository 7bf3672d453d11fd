/* SPDX-License-Identifier: MIT */
/* Parses the text of an option into its value. This module knows no option. */
#include "base/option_values.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <strings.h>

#include "base/failure.h"

struct unit {
    const char *name;
    double factor;
};

static const struct unit time_units[] = {{"", 1},   {"s", 1},    {"ms", 1e-3}, {"us", 1e-6}, {"min", 60.0},
                                         {"m", 60}, {"h", 3600}, {"d", 86400}, {NULL, 0}};

static const struct unit frequency_units[] = {{"", 1},      {"Hz", 1},  {"k", 1e3},   {"kHz", 1e3}, {"M", 1e6},
                                              {"MHz", 1e6}, {"G", 1e9}, {"GHz", 1e9}, {NULL, 0}};

/*
 * Parses a number of decimal digits, optionally with a fraction or an exponent, and a unit. Ignores the case of the
 * unit, so that m means mega in a frequency. strtod() alone would also accept signs, blanks, hexadecimal digits, "inf"
 * and "nan".
 */
static bool is_quantity(const char *text, const struct unit *units, double *value)
{
    char *end;
    double number;

    if (strchr("0123456789.", *text) == NULL || *text == '\0' || strspn(text, "0123456789.eE+-") == 0 ||
        (text[0] == '0' && strchr("xX", text[1]) != NULL && text[1] != '\0'))
        return false;
    number = strtod(text, &end);
    if (end == text || !isfinite(number))
        return false;
    for (; units->name != NULL; units++) {
        if (strcasecmp(end, units->name) == 0) {
            *value = number * units->factor;
            return isfinite(*value);
        }
    }
    return false;
}

bool option_u32(const char *text, uint32_t *value, char **end)
{
    unsigned long long number;

    errno = 0;
    if (*text < '0' || *text > '9') /* strtoull() would accept signs and blanks */
        return false;
    number = strtoull(text, end, 0);
    if (errno || *end == text || number > UINT32_MAX)
        return false;
    *value = (uint32_t)number;
    return true;
}

uint32_t option_address(const struct argp_state *state, const char *name, const char *text, uint32_t alignment)
{
    uint32_t value = 0;
    char *end;

    if (!option_u32(text, &value, &end) || *end || value % alignment != 0)
        option_error(state, "%s: '%s' is not an address: give %s such as 0x20000400", name, text,
                     alignment > 1 ? "a multiple of 4" : "a number");
    return value;
}

void option_host_port(const struct argp_state *state, const char *name, char *text, const char **host,
                      const char **port)
{
    char *colon = strrchr(text, ':');
    uint32_t number = 0;
    char *end;

    *port = colon ? colon + 1 : text;
    if (!option_u32(*port, &number, &end) || *end || number == 0 || number > 65535)
        option_error(state, "%s: '%s' is not [HOST:]PORT", name, text);
    if (!colon)
        return;
    *colon = '\0';
    if (*text == '[' && colon > text && colon[-1] == ']') { /* [::1]:6666 */
        colon[-1] = '\0';
        text++;
    }
    *host = text;
}

uint64_t option_number(const struct argp_state *state, const char *name, const char *text, uint64_t least,
                       uint64_t most)
{
    unsigned long long value;
    char *end;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (errno == 0 && *text >= '0' && *text <= '9' && *end == '\0' && value >= least && value <= most)
        return value;
    if (most == UINT64_MAX && least == 0)
        option_error(state, "%s: '%s' is not a whole number", name, text);
    else if (most == UINT64_MAX)
        option_error(state, "%s: '%s' is not a whole number above %" PRIu64, name, text, least - 1);
    else
        option_error(state, "%s: '%s' is not a whole number from %" PRIu64 " to %" PRIu64, name, text, least, most);
    return least;
}

bool option_is_size(const char *text, uint64_t bare, uint64_t *bytes)
{
    const struct unit units[] = {
        {"", (double)bare}, {"K", 0x1p10}, {"M", 0x1p20}, {"G", 0x1p30}, {NULL, 0},
    };
    double quantity;
    uint32_t number;
    char *end;

    if (text[0] == '0' && option_u32(text, &number, &end) && *end == '\0') {
        *bytes = number;
        return true;
    }
    if (!is_quantity(text, units, &quantity) || quantity >= 0x1p63)
        return false;
    *bytes = (uint64_t)quantity;
    return true;
}

uint64_t option_size(const struct argp_state *state, const char *name, const char *text, uint64_t bare, uint64_t least,
                     uint64_t most, const char *range)
{
    uint64_t bytes = 0;

    if (!option_is_size(text, bare, &bytes) || bytes < least || bytes > most)
        option_error(state, "%s: '%s' is not a size %s, such as 512K, 64M or 2G", name, text, range);
    return bytes;
}

/* Parses a time: 2s, 500ms, 250us, 1min, 1h; a number without unit is in seconds. Prints no error message. */
static bool option_is_time(const char *text, double *seconds)
{
    return is_quantity(text, time_units, seconds);
}

double option_seconds(const struct argp_state *state, const char *name, const char *text, double least, double most,
                      const char *range)
{
    double seconds = 0;

    if (!option_is_time(text, &seconds) || seconds < least || seconds > most)
        option_error(state, "%s: '%s' is not a time %s, such as 2s, 500ms or 1min", name, text, range);
    return seconds;
}

uint64_t option_ticks(const struct argp_state *state, const char *name, const char *text, struct option_rate rate)
{
    bool bare = text[strspn(text, "0123456789")] == '\0';
    double seconds = 0;

    if (rate.hz <= 0 && !bare)
        option_error(state, "%s: '%s' is not a number of ticks: give --hz to use times", name, text);
    if (bare && !rate.given)
        return option_number(state, name, text, 0, UINT64_MAX);
    if (!option_is_time(text, &seconds) || seconds * rate.hz >= 18446744073709551615.0)
        option_error(state, "%s: '%s' is not a time such as 2s, 500ms or 1min", name, text);
    return (uint64_t)(seconds * rate.hz + 0.5);
}

double option_frequency(const struct argp_state *state, const char *name, const char *text)
{
    double hertz = 0;

    if (!is_quantity(text, frequency_units, &hertz) || hertz <= 0)
        option_error(state, "%s: '%s' is not a frequency above 0, such as 168M, 168MHz or 32768", name, text);
    return hertz;
}

unsigned option_choice(const struct argp_state *state, const char *name, const char *text, const char *const *words,
                       unsigned count)
{
    char list[128] = "";
    size_t used = 0;

    for (unsigned i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0)
            return i;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 i == 0          ? ""
                                 : i + 1 < count ? ", "
                                                 : " or ",
                                 words[i]);
        if (used >= sizeof list)
            used = sizeof list - 1;
    }
    option_error(state, "%s: unknown '%s': expected %s", name, text, list);
    return 0;
}

#define PERCENT_MAX 10000.0

double option_percent(const struct argp_state *state, const char *name, const char *text)
{
    char *end;
    double percent = strtod(text, &end);

    end += end != text && *end == '%';
    if (end == text || *end != '\0' || !(percent >= 0 && percent <= PERCENT_MAX))
        option_error(state, "%s: '%s' is not a percentage from 0%% to 10000%%", name, text);
    return percent / 100;
}

/* Parses the fraction of a second after a dot into microseconds. False: not a fraction of at most 6 digits. */
static bool take_fraction(const char **text, uint64_t *us)
{
    uint64_t scale = 100000;

    *us = 0;
    if (**text != '.')
        return true;
    (*text)++;
    if (**text < '0' || **text > '9')
        return false;
    for (; **text >= '0' && **text <= '9'; (*text)++, scale /= 10)
        *us += (uint64_t)(**text - '0') * scale;
    return true;
}

uint64_t option_wall_us(const struct argp_state *state, const char *name, const char *text)
{
    static const char *const formats[] = {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M",
                                          "%Y-%m-%d"};

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct tm parts = {.tm_isdst = -1};
        const char *rest = strptime(text, formats[i], &parts);
        uint64_t fraction = 0;
        time_t seconds;

        if (rest == NULL || (i < 2 && !take_fraction(&rest, &fraction)) || (strcmp(rest, "Z") != 0 && *rest != '\0'))
            continue;
        seconds = *rest == 'Z' ? timegm(&parts) : mktime(&parts);
        if (seconds > 0)
            return (uint64_t)seconds * 1000000 + fraction;
    }
    option_error(state, "%s: '%s' is not a time such as 2026-11-28T12:34:56 (local) or 2026-11-28T12:34Z", name, text);
}
