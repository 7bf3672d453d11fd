/* SPDX-License-Identifier: MIT */
/* Reads plain hexadecimal text. It begins with enough digits to be recognised; any bytes follow. */
#include <string.h>

#include "container_check.h"
#include "fuzz.h"

#define DIGITS 64

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    uint8_t *file = malloc(length + DIGITS);

    memset(file, '5', DIGITS);
    if (length > 0)
        memcpy(file + DIGITS, bytes, length);
    container_check(file, length + DIGITS);
    free(file);
    return 0;
}
