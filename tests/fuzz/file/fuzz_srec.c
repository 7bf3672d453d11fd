/* SPDX-License-Identifier: MIT */
/* Reads Motorola S-records with correct lengths and checksums. */
#include <string.h>

#include "container_check.h"
#include "fuzz.h"
#include "text_repair.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    uint8_t *file = malloc(length + (length == 0));

    memcpy(file, bytes, length);
    text_repair(file, length, 'S', 2, 1, 0xFF);
    container_check(file, length);
    free(file);
    return 0;
}
