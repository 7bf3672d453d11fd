/* SPDX-License-Identifier: MIT */
/* Makes a recording of any bytes, so that fuzzers reach the contents of blocks. */
#ifndef TXTAP_TESTS_FUZZ_RECORDING_REPAIR_H
#define TXTAP_TESTS_FUZZ_RECORDING_REPAIR_H

#include <stddef.h>
#include <stdint.h>

/* Corrects magic, block numbers and the checksums of whatever looks like a block. A BUFFER block gets a valid header,
 * which rarely comes up by chance. */
void recording_repair(uint8_t *bytes, size_t length);

#endif
