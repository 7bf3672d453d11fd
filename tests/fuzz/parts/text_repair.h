/* SPDX-License-Identifier: MIT */
/* Corrects lengths and checksums of records, so that fuzzers get past the checks of them. */
#ifndef TXTAP_TESTS_FUZZ_TEXT_REPAIR_H
#define TXTAP_TESTS_FUZZ_TEXT_REPAIR_H

#include <stddef.h>
#include <stdint.h>

/* Repairs each line that begins with `mark`, in place. The bytes after `skip` characters then have the sum `sum`. */
void text_repair(uint8_t *text, size_t length, char mark, size_t skip, unsigned length_less, unsigned sum);

#endif
