/* SPDX-License-Identifier: MIT */
/* Shared by all fuzzers: the entry point that libFuzzer calls, and a check that stays in optimised builds. */
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
