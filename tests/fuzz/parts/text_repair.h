/* SPDX-License-Identifier: MIT */
/* Corrects the length and checksum of records, so that the fuzzer gets past those checks. */
#ifndef TXTAP_TESTS_FUZZ_TEXT_REPAIR_H
#define TXTAP_TESTS_FUZZ_TEXT_REPAIR_H

#include <stddef.h>
#include <stdint.h>

/* Repairs in place each line that begins with `mark`: the bytes after `skip` characters then add up to `sum`. */
void text_repair(uint8_t *text, size_t length, char mark, size_t skip, unsigned length_less, unsigned sum);

#endif
