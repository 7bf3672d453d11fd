/* SPDX-License-Identifier: MIT */
/* Reads any bytes as a container. Their content determines the kind of container. */
#include "container_check.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    container_check(bytes, length);
    return 0;
}
