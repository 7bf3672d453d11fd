/* SPDX-License-Identifier: MIT */
#include "text_repair.h"

#include <stdbool.h>

static int digit(uint8_t character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'A' && character <= 'F')
        return character - 'A' + 10;
    return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

static void put(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t) "0123456789ABCDEF"[value >> 4 & 15];
    at[1] = (uint8_t) "0123456789abcdef"[value & 15];
}

static void repair_line(uint8_t *line, size_t length, unsigned length_less, unsigned sum)
{
    size_t pairs = 0;
    unsigned all = 0;

    while (2 * pairs + 1 < length && digit(line[2 * pairs]) >= 0 && digit(line[2 * pairs + 1]) >= 0)
        pairs++;
    if (pairs < 4 || pairs > 256)
        return;
    put(line, (unsigned)pairs - length_less);
    for (size_t i = 0; i + 1 < pairs; i++)
        all += (unsigned)(digit(line[2 * i]) * 16 + digit(line[2 * i + 1]));
    put(line + 2 * (pairs - 1), sum - all);
}

void text_repair(uint8_t *text, size_t length, char mark, size_t skip, unsigned length_less, unsigned sum)
{
    for (size_t start = 0, end; start < length; start = end + 1) {
        for (end = start; end < length && text[end] != '\n'; end++)
            ;
        if (end - start > skip && text[start] == (uint8_t)mark)
            repair_line(text + start + skip, end - start - skip, length_less, sum);
    }
}
