/* SPDX-License-Identifier: MIT */
/* Turns any bytes into a valid recording, so that fuzzers reach the contents of blocks. */
#ifndef TXTAP_TESTS_FUZZ_RECORDING_REPAIR_H
#define TXTAP_TESTS_FUZZ_RECORDING_REPAIR_H

#include <stddef.h>
#include <stdint.h>

/*
 * Corrects the magic, the block number and the checksum of everything that looks like a block. A BUFFER block also gets
 * a valid header, because random bytes rarely form one.
 */
void recording_repair(uint8_t *bytes, size_t length);

#endif
