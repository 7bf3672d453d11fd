/* SPDX-License-Identifier: MIT */
/* For all fuzzers: the function that libFuzzer calls, and a check that optimised builds keep. */
#ifndef TXTAP_TESTS_FUZZ_H
#define TXTAP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define REQUIRE(what)                                                                                                  \
    do {                                                                                                               \
        if (!(what))                                                                                                   \
            abort();                                                                                                   \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#endif
