/* SPDX-License-Identifier: MIT */
/* Recognises valid UTF-8. Knows nothing of where the bytes come from. */
#include "base/utf8.h"

#include <stdbool.h>

static bool in_range(unsigned char byte, unsigned char low, unsigned char high)
{
    return byte >= low && byte <= high;
}

/* The second byte alone shows overlong forms, surrogates, and values beyond Unicode. */
static bool second_fits(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xE0:
        return in_range(second, 0xA0, 0xBF);
    case 0xED:
        return in_range(second, 0x80, 0x9F);
    case 0xF0:
        return in_range(second, 0x90, 0xBF);
    case 0xF4:
        return in_range(second, 0x80, 0x8F);
    default:
        return in_range(second, 0x80, 0xBF);
    }
}

size_t utf8_length(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t length;

    if (bytes[0] < 0x80)
        return 1;
    if (in_range(bytes[0], 0xC2, 0xDF))
        length = 2;
    else if (in_range(bytes[0], 0xE0, 0xEF))
        length = 3;
    else if (in_range(bytes[0], 0xF0, 0xF4))
        length = 4;
    else
        return 0;
    /* The NUL at the end is not a continuation byte, so no byte behind it is read. */
    if (!second_fits(bytes[0], bytes[1]))
        return 0;
    for (size_t i = 2; i < length; i++) {
        if (!in_range(bytes[i], 0x80, 0xBF))
            return 0;
    }
    return length;
}
