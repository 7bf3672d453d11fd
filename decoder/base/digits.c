/* SPDX-License-Identifier: MIT */
/* Numbers in text, whatever the locale. Knows no format. */
#include "base/digits.h"

unsigned digit_value(char character)
{
    if (character >= '0' && character <= '9')
        return (unsigned)(character - '0');
    if (character >= 'A' && character <= 'F')
        return (unsigned)(character - 'A') + 10;
    if (character >= 'a' && character <= 'f')
        return (unsigned)(character - 'a') + 10;
    return 16;
}

bool digits_number(const char *text, size_t length, uint32_t *number)
{
    bool is_hex = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    unsigned base = is_hex ? 16 : 10;
    uint64_t value = 0;

    if (length == 0)
        return false;
    for (size_t i = is_hex ? 2 : 0; i < length; i++) {
        unsigned digit = digit_value(text[i]);

        value = value * base + digit;
        if (digit >= base || value > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return true;
}
