/* SPDX-License-Identifier: MIT */
/* Reads Intel HEX with correct lengths and checksums. */
#include <string.h>

#include "container_check.h"
#include "fuzz.h"
#include "text_repair.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    uint8_t *file = malloc(length + (length == 0));

    memcpy(file, bytes, length);
    text_repair(file, length, ':', 1, 5, 0);
    container_check(file, length);
    free(file);
    return 0;
}
