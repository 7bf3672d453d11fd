/* SPDX-License-Identifier: MIT */
#include "format_check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define PACKET_MAGIC 0xC1FC1FC1u
#define HEAD_BYTES   52u

static struct {
    uint64_t end, discarded; /* numbers of the last packet */
    uint64_t time;           /* current time in a dump */
    bool any_time, values;
    uint32_t declared; /* number of variables declared so far */
} last;

void format_check_start(void)
{
    memset(&last, 0, sizeof last);
}

/* ---- CTF ---- */

static uint64_t number_at(const uint8_t *at, size_t bytes)
{
    uint64_t value = 0;

    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

void ctf_check(const uint8_t *packet, size_t length)
{
    REQUIRE(length > HEAD_BYTES && length <= 16384);
    REQUIRE(number_at(packet, 4) == PACKET_MAGIC);
    REQUIRE(number_at(packet + 24, 8) == length * 8 && number_at(packet + 32, 8) == length * 8);
    REQUIRE(number_at(packet + 8, 8) >= last.end && number_at(packet + 16, 8) >= number_at(packet + 8, 8));
    REQUIRE(number_at(packet + 40, 8) >= last.discarded);
    REQUIRE(number_at(packet + HEAD_BYTES + 2, 8) >= number_at(packet + 8, 8));
    last.end = number_at(packet + 16, 8);
    last.discarded = number_at(packet + 40, 8);
}

/* ---- VCD ---- */

/* Returns the number of the variable whose identifier ends at `end`. */
static uint32_t variable(const char *identifier, const char *end)
{
    uint32_t number = 0;

    REQUIRE(identifier < end && end - identifier <= 4);
    for (; identifier < end; identifier++) {
        bool lower = *identifier >= 'a' && *identifier <= 'z';

        REQUIRE(lower || (*identifier >= 'A' && *identifier <= 'Z'));
        number = number * 52 + (uint32_t)(lower ? *identifier - 'a' : *identifier - 'A' + 26) + 1;
    }
    return number - 1;
}

static void check_value(const char *line, const char *end)
{
    const char *blank = memchr(line, ' ', (size_t)(end - line));

    switch (*line) {
    case '#': {
        uint64_t time = strtoull(line + 1, NULL, 10);

        REQUIRE(!last.any_time || time > last.time);
        last.time = time;
        last.any_time = true;
        return;
    }
    case '0':
    case '1':
    case 'x':
        REQUIRE(variable(line + 1, end) < last.declared);
        return;
    case 's':
    case 'b':
    case 'r':
        REQUIRE(blank != NULL && variable(blank + 1, end) < last.declared);
        return;
    default:
        REQUIRE(end - line > 14 && strncmp(line, "$comment ", 9) == 0 && memcmp(end - 5, " $end", 5) == 0);
    }
}

void vcd_check(const char *lines, size_t length)
{
    const char *stop = lines + length;

    REQUIRE(length > 0 && stop[-1] == '\n');
    for (const char *end; lines < stop; lines = end + 1) {
        end = memchr(lines, '\n', (size_t)(stop - lines));
        for (const char *at = lines; at < end; at++)
            REQUIRE(*at >= ' ' && *at < 0x7F);
        REQUIRE(end > lines);
        if (last.values)
            check_value(lines, end);
        last.declared += strncmp(lines, "$var ", 5) == 0;
        last.values = last.values || strncmp(lines, "$enddefinitions ", 16) == 0;
    }
}
