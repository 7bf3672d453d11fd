/* SPDX-License-Identifier: MIT */
/*
 * Reads ELF files. Class, byte order and header offsets in the first 64 bytes are made valid, so that the file is
 * accepted.
 */
#include <string.h>

#include "container_check.h"
#include "fuzz.h"

#define PROGRAM_HEADERS 64

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    uint8_t *file;

    if (length < PROGRAM_HEADERS)
        return 0;
    file = malloc(length);
    memcpy(file, bytes, length);
    memcpy(file, "\177ELF", 4);
    file[4] = (uint8_t)(1 + file[4] % 2);
    container_check(file, length);
    free(file);
    return 0;
}
