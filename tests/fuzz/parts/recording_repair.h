/* SPDX-License-Identifier: MIT */
/* Turns any bytes into a recording, so that fuzzers reach the contents of blocks. */
#ifndef TXTAP_TESTS_FUZZ_RECORDING_REPAIR_H
#define TXTAP_TESTS_FUZZ_RECORDING_REPAIR_H

#include <stddef.h>
#include <stdint.h>

/*
 * Corrects the magic, block numbers and checksums of everything that looks like a block. A BUFFER block gets a valid
 * header, because random bytes seldom form one.
 */
void recording_repair(uint8_t *bytes, size_t length);

#endif
